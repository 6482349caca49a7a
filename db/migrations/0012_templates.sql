-- Templates: what Meta says of categories, those that Meta no longer lists, and creations that a repeated request finds.

-- The category before Meta's last change, and the one that Meta announces.
alter table templates add column previous_category text;
alter table templates add column correct_category text;
-- Since when Meta no longer lists it; null again when it does. The row stays, as campaigns refer to it.
alter table templates add column gone_at timestamptz;
-- Made by the form once, so that a repeated request finds the template instead of creating another.
alter table templates add column request_id text;
alter table templates add constraint templates_request unique (account_id, request_id);
-- When the sample of a header made elsewhere was last fetched in vain.
alter table templates add column sample_tried_at timestamptz;
-- When a webhook last changed it: what a sync read before that is out of date.
alter table templates add column changed_at timestamptz;

-- Requests that are creating a template at Meta right now; one that its process did not finish is taken over.
create table template_creations (
	account_id bigint not null,
	request_id text not null,
	started_at timestamptz not null default now(),
	constraint template_creations_key primary key (account_id, request_id)
);

-- When an account's templates were last fetched from Meta. Whoever writes an account's templates in numbers locks its row.
create table template_syncs (
	account_id bigint not null,
	attempted_at timestamptz,
	finished_at timestamptz,
	constraint template_syncs_key primary key (account_id)
);
insert into template_syncs (account_id, attempted_at, finished_at)
select account_id, max(synced_at), max(synced_at) from templates group by account_id;

-- The price and category that the owner of a campaign not yet begun has to confirm, since Meta moved its template.
alter table campaigns add column confirm_price_paise integer;
alter table campaigns add column confirm_category text;
alter table campaigns add column price_changed_at timestamptz;
