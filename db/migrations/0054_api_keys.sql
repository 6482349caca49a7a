-- With which a shop's own systems call /v1. Of the secret only a hash is kept. Held whole by every machine, as sessions are: a key
-- is looked up before anybody knows whose it is.
create table api_keys (
	id bigint not null generated always as identity,
	account_id bigint not null,
	name text not null,
	secret_hash bytea not null,
	scopes text[] not null,
	networks cidr[] not null,
	created_at timestamptz not null default now(),
	expires_at timestamptz,
	last_used_at timestamptz,
	constraint api_keys_key primary key (id),
	constraint api_keys_account foreign key (account_id) references accounts (id)
);
create index api_keys_of_account on api_keys (account_id);
