-- An account's WhatsApp sender (one phone number) and what arrives from Meta for it.

create table senders (
	account_id bigint primary key references accounts (id),
	phone_number_id text not null,
	waba_id text not null,
	-- Encrypted with SECRET_KEY.
	access_token_sealed bytea not null,
	app_id text,
	app_secret_sealed bytea,
	-- The unguessable last part of the webhook address, and what Meta must say in the handshake.
	webhook_key text not null,
	verify_token text not null,
	verified_name text,
	business_name text,
	display_phone_number text,
	profile_picture_url text,
	-- How fast Meta lets this number send.
	messages_per_second integer not null default 80,
	-- Why nothing may be sent at present (token expired, account locked, ...), with what to do about it.
	stopped_reason text,
	stopped_at timestamptz,
	checked_at timestamptz,
	updated_at timestamptz not null default now()
);
create index senders_phone_number on senders (phone_number_id);

-- Deliveries are stored before they are answered and deleted once they have taken effect.
-- What nothing understands is kept, with why.
create table webhook_deliveries (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	body text not null,
	kept_because text,
	received_at timestamptz not null default now(),
	primary key (account_id, id)
);
create index webhook_deliveries_waiting on webhook_deliveries (account_id, id) where kept_because is null;
