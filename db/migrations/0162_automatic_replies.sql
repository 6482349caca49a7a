-- Messages that the product sends by itself when a customer writes.

create table automatic_replies (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- keyword: the customer's message has one of the phrases. away: it arrives outside business hours. greeting: it is the
	-- customer's first.
	kind text not null,
	-- Words or phrases of a keyword reply, as they were typed.
	phrases text[] not null default '{}',
	text text not null,
	-- Maximum number of messages in a month of India.
	monthly_limit integer not null,
	-- The month of the last message, such as 2026-11, and the number of messages in it.
	month text not null default '',
	sent integer not null default 0,
	created_at timestamptz not null default now(),
	constraint automatic_replies_key primary key (account_id, id),
	constraint automatic_replies_kind check (kind in ('keyword', 'away', 'greeting')),
	constraint automatic_replies_phrases check ((kind = 'keyword') = (cardinality(phrases) > 0)),
	constraint automatic_replies_text check (length(text) between 1 and 4096),
	constraint automatic_replies_limit check (monthly_limit between 1 and 100000 and sent >= 0)
);
create unique index automatic_replies_single on automatic_replies (account_id, kind) where kind <> 'keyword';

-- The switch of an account's automatic replies, and its business hours.
create table automatic_reply_settings (
	account_id bigint not null,
	is_on boolean not null,
	-- Opening and closing of the seven days from Monday to Sunday, and days that are closed; null while they are not set.
	hours jsonb,
	constraint automatic_reply_settings_key primary key (account_id)
);
