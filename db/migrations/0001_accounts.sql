-- Accounts, the people who sign in, and their sessions. Small tables that every machine of a distributed
-- database holds whole, so they may be joined with anything.

create table accounts (
	id bigint generated always as identity primary key,
	created_at timestamptz not null default now()
);

-- Each person has an account of their own: role user works in it; an admin's stays empty unless they become a user.
create table users (
	id bigint generated always as identity primary key,
	account_id bigint not null unique references accounts (id),
	name text not null,
	email text not null,
	role text not null check (role in ('admin', 'user')),
	is_active boolean not null default true,
	password_hash text not null,
	created_at timestamptz not null default now(),
	-- A deleted user is hidden and frees the e-mail address; the money records stay.
	deleted_at timestamptz
);
create unique index users_email on users (lower(email)) where deleted_at is null;

create table sessions (
	-- SHA-256 of the token; the token itself is known to the browser alone.
	token_hash bytea primary key,
	user_id bigint not null references users (id) on delete cascade,
	created_at timestamptz not null default now(),
	expires_at timestamptz not null,
	last_seen_at timestamptz not null default now(),
	user_agent text not null default '',
	ip inet
);
create index sessions_user on sessions (user_id);
