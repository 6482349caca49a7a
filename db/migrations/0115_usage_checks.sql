-- The last nightly reading of WhatsApp's own counts of an account's delivered messages, for comparison with usage_days. `days`
-- has the day, category and messages of each count. It moves no money.
create table usage_checks (
	account_id bigint not null,
	checked_at timestamptz not null,
	is_readable boolean not null,
	days jsonb not null default '[]',
	constraint usage_checks_key primary key (account_id)
);
