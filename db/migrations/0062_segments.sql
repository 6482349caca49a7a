-- Rules that choose contacts, saved under a name. Without foreign keys: on a distributed database the new table is not
-- distributed yet.
create table segments (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	match text not null,
	rules jsonb not null,
	created_at timestamptz not null default now(),
	constraint segments_key primary key (account_id, id),
	constraint segments_match_check check (match in ('all', 'any'))
);
create unique index segments_name on segments (account_id, lower(name));

alter table campaigns add column segment_id bigint;
alter table campaigns drop constraint campaigns_audience_type_check;
alter table campaigns add constraint campaigns_audience_type_check
	check (audience_type in ('all', 'group', 'file', 'segment')) not valid;
alter table campaigns validate constraint campaigns_audience_type_check;
