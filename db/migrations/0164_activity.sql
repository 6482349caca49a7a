-- Actions of people in their account, such as a paused campaign or a download. The audit trail, of which every machine has a
-- copy, keeps the actions of admins and the changes of colleagues, keys and webhooks.
create table account_actions (
	account_id bigint not null,
	id bigint not null generated always as identity,
	actor_id bigint not null,
	actor_name text not null,
	action text not null,
	details text,
	created_at timestamptz not null default now(),
	constraint account_actions_key primary key (account_id, id)
);
create index account_actions_at on account_actions (account_id, created_at);

-- The person who created a campaign, or wrote a message in a chat. A user's row is never deleted.
alter table campaigns add column created_by bigint;
alter table chat_messages add column author_id bigint;
