-- What a key may spend on one Indian day; null is without a limit.
alter table api_keys add column day_limit_paise bigint;

-- What each key with a limit has spent by day. Rows are written in the transaction that holds the money.
create table api_key_days (
	account_id bigint not null,
	key_id bigint not null,
	day date not null,
	spent_paise bigint not null,
	constraint api_key_days_key primary key (account_id, key_id, day)
);
