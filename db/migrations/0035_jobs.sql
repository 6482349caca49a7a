-- Work for the background that must not be lost: mails, files of chats to fetch, confirmations to send. One queue for all of
-- it. A claim holds for as long as the worker that made it is alive.
create table jobs (
	id bigint generated always as identity constraint jobs_key primary key,
	kind text not null,
	owner_id bigint,
	data jsonb not null,
	due_at timestamptz not null default now(),
	attempts integer not null default 0,
	claimed_by text
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index jobs_due on jobs (kind, due_at, id);

insert into jobs (kind, owner_id, data, due_at)
select 'fetch-media', account_id, jsonb_build_object('owner', account_id, 'id', id), media_retry_at
from chat_messages where media_state = 'fetching';
insert into jobs (kind, owner_id, data)
select 'send-chat-message', account_id, jsonb_build_object('owner', account_id, 'id', id)
from chat_messages where status = 'pending' and claimed_at is null;

-- Mails that waited in the queue before this one, where there was one.
create schema if not exists pgboss;
create table if not exists pgboss.job (name text, data jsonb, state text);
insert into jobs (kind, data)
select name, data from pgboss.job where state::text in ('created', 'retry', 'active') and name like '%-mail';
drop schema pgboss cascade;

drop index chat_messages_media;
alter table chat_messages drop column media_attempts;
alter table chat_messages drop column media_retry_at;
