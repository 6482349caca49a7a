-- What people asked to have erased: their number stays as a keyed hash, in opt_outs above all, so that they are never written
-- to again. The key is the account's own, sealed with SECRET_KEY: a copy of the database alone cannot try numbers out.
create table erasure_keys (
	account_id bigint not null,
	key_sealed bytea not null,
	-- Null while nobody was erased: until then no number is hashed to be looked up.
	erased_at timestamp with time zone,
	constraint erasure_keys_key primary key (account_id)
);

-- What was asked for and done, without saying for whom: that can be proved by whoever knows the number.
create table privacy_requests (
	account_id bigint not null,
	id bigint not null generated always as identity,
	kind text not null,
	number_hash text not null,
	user_id bigint not null,
	counts jsonb not null,
	requested_at timestamp with time zone not null default now(),
	constraint privacy_requests_key primary key (account_id, id),
	constraint privacy_requests_kind check (kind in ('download', 'erasure'))
);
