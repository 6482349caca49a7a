-- Prepaid money in integer paise. Only the ledger module writes these two tables.

create table wallets (
	account_id bigint primary key references accounts (id),
	available_paise bigint not null default 0 check (available_paise >= 0),
	held_paise bigint not null default 0 check (held_paise >= 0)
);

-- Append-only. Every entry says what it changed and what stood in the wallet after it, so that
-- the sum of all entries and the last entry must both equal the wallet.
create table ledger_entries (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	kind text not null check (kind in ('recharge', 'hold', 'capture', 'release', 'refund')),
	-- Names the step that posted the entry; replaying the step finds it and posts nothing.
	reference text not null,
	available_change_paise bigint not null,
	held_change_paise bigint not null,
	available_after_paise bigint not null,
	held_after_paise bigint not null,
	campaign_id bigint,
	-- How many messages the entry is for; null for a recharge.
	message_count integer,
	notes text,
	admin_id bigint references users (id),
	created_at timestamptz not null default now(),
	primary key (account_id, id),
	unique (account_id, reference)
);

create table prices (
	account_id bigint primary key references accounts (id),
	marketing_paise integer not null check (marketing_paise >= 0),
	utility_paise integer not null check (utility_paise >= 0)
);
