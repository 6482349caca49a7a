-- A second factor for signing in: codes from an authenticator app (TOTP).
create table second_factors (
	user_id bigint constraint second_factors_key primary key,
	-- Sealed with SECRET_KEY.
	secret bytea not null,
	-- Null until a first code has shown that the app has the secret; until then nothing is asked for.
	confirmed_at timestamptz,
	-- The 30 seconds since 1970 of the last code that was taken: neither it nor an earlier one is taken again.
	last_step bigint not null default 0,
	constraint second_factors_user_id foreign key (user_id) references users (id) on delete cascade
);

-- SHA-256 of the codes that stand in for a lost phone; each is deleted when it is used.
create table recovery_codes (
	user_id bigint not null,
	code_hash bytea not null,
	constraint recovery_codes_key primary key (user_id, code_hash),
	constraint recovery_codes_user_id foreign key (user_id) references users (id) on delete cascade
);
