-- Live chats, who answered a campaign, and the state of opting out by number.

create table chats (
	account_id bigint not null,
	-- The digits of the other side's number, or the business-scoped user id of someone who hides it.
	key text not null,
	profile_name text,
	-- What the list shows of the newest message, and when that was; in whole milliseconds, as pages are asked for by it.
	last_line text not null default '',
	last_at timestamptz not null,
	unread integer not null default 0,
	-- When the 24 hours after their last message end; null when they never wrote.
	window_expires_at timestamptz,
	-- Their newest message, and the one that a read receipt was last sent for.
	inbound_wamid text,
	inbound_at timestamptz,
	receipt_wamid text,
	constraint chats_key primary key (account_id, key)
);
create index chats_recent on chats (account_id, last_at, key);
create index chats_unread on chats (account_id) where unread > 0;

create table chat_messages (
	account_id bigint not null,
	id bigint generated always as identity,
	chat text not null,
	direction text not null constraint chat_messages_direction check (direction in ('in', 'out')),
	kind text not null,
	-- What only some kinds have: text, location, cards, components, and what is not understood, as it came.
	body jsonb not null default '{}',
	wamid text,
	-- Of an inbound message always delivered.
	status message_status not null,
	status_at timestamptz,
	sent_at timestamptz,
	error_code integer,
	error text,
	at timestamptz not null,
	-- What it quotes: a message of the chat by its wamid, or one of a campaign.
	reply_wamid text,
	reply_campaign_id bigint,
	reply_text text,
	media_id text,
	media_type text,
	media_name text,
	-- Where the file is stored; null as long as it is not.
	media_key text,
	media_state text constraint chat_messages_media_state check (media_state in ('ready', 'fetching', 'unavailable')),
	media_attempts integer not null default 0,
	media_retry_at timestamptz,
	-- Made by the form once, so that a repeated request finds the message instead of sending another.
	request_id text,
	-- A process has begun to send it. Pending and claimed means that it may have been sent.
	claimed_at timestamptz,
	-- What a template message costs; 0 for all that is free, and where the wallet could not pay for a late confirmation.
	price_paise integer not null default 0 constraint chat_messages_price check (price_paise >= 0),
	constraint chat_messages_key primary key (account_id, id),
	constraint chat_messages_wamid unique (account_id, wamid),
	constraint chat_messages_request unique (account_id, request_id)
);
create index chat_messages_newest on chat_messages (account_id, chat, at, id);
create index chat_messages_pending on chat_messages (at, account_id) where status = 'pending';
create index chat_messages_media on chat_messages (media_retry_at, account_id) where media_state = 'fetching';

-- What happened to a message afterwards: reactions, edits and revocations. Kept by the wamid of the message, which may
-- arrive later; the latest of each kind and side counts.
create table chat_marks (
	account_id bigint not null,
	target_wamid text not null,
	-- 'reaction', 'edit' or 'revoke'.
	kind text not null,
	-- Whether it is ours.
	is_own boolean not null,
	chat text not null,
	-- The emoji, empty when it was taken back, or the new text.
	value text not null,
	at timestamptz not null,
	-- Of the message that brought it: decides between two of the same second.
	wamid text not null,
	constraint chat_marks_key primary key (account_id, target_wamid, kind, is_own)
);

-- Whether an opt-out or its undoing is confirmed to who asked for it, and in which words.
create table chat_settings (
	account_id bigint not null constraint chat_settings_key primary key,
	confirms_opt_out boolean not null default false,
	opt_out_text text not null,
	opt_in_text text not null
);

-- Which recipients of a campaign answered it, each once. Counted on the campaign by a step of its own, so that no
-- transaction that stores messages locks campaigns.
create table campaign_replies (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	is_counted boolean not null default false,
	replied_at timestamptz not null,
	constraint campaign_replies_key primary key (account_id, campaign_id, seq)
);
create index campaign_replies_uncounted on campaign_replies (account_id) where not is_counted;
alter table campaigns add column replied_count integer not null default 0;

-- Whether a number receives marketing, also when it is in no contact: what was said last counts, by the time it was said.
create table opt_outs (
	account_id bigint not null,
	number text not null,
	is_opted_out boolean not null,
	because text not null,
	-- Since when it is so, and when somebody last said so.
	changed_at timestamptz not null,
	said_at timestamptz not null,
	constraint opt_outs_key primary key (account_id, number)
);
create index opt_outs_recent on opt_outs (account_id, changed_at, number) where is_opted_out;
insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
select account_id, number, true, coalesce(opted_out_because, 'manual'), opted_out_at, opted_out_at
from contacts
where opted_out_at is not null;

-- What webhooks an account has had, one row for each, moved with every batch that is processed.
create table webhook_totals (
	account_id bigint not null constraint webhook_totals_key primary key,
	processed_count bigint not null default 0,
	last_received_at timestamptz not null,
	last_processed_at timestamptz not null
);
