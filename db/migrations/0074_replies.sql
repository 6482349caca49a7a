-- A reply to a campaign is the first message within 72 hours of the arrival of the campaign's message. Quoted and button answers
-- are counted beside it.

-- The earliest time that a delivered or read status names. Null for messages from before: their last status stands for it.
alter table campaign_messages add column arrived_at timestamptz;

-- Until now a row was a quoted or button answer. A release from before writes `replied_at` alone, for such answers.
alter table campaign_replies alter column replied_at drop not null;
alter table campaign_replies add column quoted_at timestamptz;
update campaign_replies set quoted_at = replied_at;
alter table campaign_replies alter column quoted_at set default now();

alter table campaigns add column quoted_count integer;
update campaigns set quoted_count = replied_count;
alter table campaigns alter column quoted_count set default 0;
alter table campaigns alter column quoted_count set not null;

-- Chats of which a message, or the arrival of a campaign's message, has become known: their replies are attributed again from
-- `since` on.
create table reply_checks (
	account_id bigint not null,
	id bigint generated always as identity,
	chat text not null,
	since timestamptz not null,
	due_at timestamptz not null default now(),
	-- A transaction that ran beside the one that wrote this row may not have been visible at the first look.
	is_last_look boolean not null default false,
	constraint reply_checks_key primary key (account_id, id)
);
create index reply_checks_due on reply_checks (account_id, due_at);

-- All chats, so that typed replies of before are counted where messages and recipients are retained.
insert into reply_checks (account_id, chat, since, is_last_look)
select account_id, key, '1970-01-01', true from chats where inbound_at is not null;
