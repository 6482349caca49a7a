-- Usage: the messages that WhatsApp delivered, by what it charges for them. A message's `usage` is the newest pricing known of
-- it, or an estimate from its arrival on; null for messages that arrived before this release, which are not counted.
alter table campaign_messages add column usage text;
alter table chat_messages add column usage text;

-- The earliest time that a delivered or read status names.
alter table chat_messages add column arrived_at timestamptz;

-- Messages that arrived on a day in India. An estimate is a message of which WhatsApp has not named the pricing.
create table usage_days (
	account_id bigint not null,
	day date not null,
	market text not null,
	category text not null,
	type text not null,
	is_estimate boolean not null,
	messages integer not null default 0,
	constraint usage_days_key primary key (account_id, day, market, category, type, is_estimate)
);
create index usage_days_day on usage_days (day);
