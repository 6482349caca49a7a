-- Forgotten passwords, and what admins have done.

-- The links that were mailed: one hour, single use. SHA-256 of the token; the token itself stands in the mail alone.
create table password_resets (
	token_hash bytea primary key,
	user_id bigint not null references users (id) on delete cascade,
	created_at timestamptz not null default now(),
	expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

-- Who did what to whom, when and from where. Rows are only ever added. It belongs to no account: the admins' side
-- of the product writes and reads it.
create table admin_actions (
	id bigint generated always as identity primary key,
	admin_id bigint not null references users (id),
	action text not null,
	-- The user it was done to; a deleted one keeps its row in users, so that the name can still be told.
	subject_id bigint references users (id),
	-- What exactly changed, in words; never a password, token or secret.
	details text,
	ip inet,
	created_at timestamptz not null default now()
);

-- The admin dashboard adds up a month of all accounts.
create index daily_totals_day on daily_totals (day);
