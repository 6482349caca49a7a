-- Where an account's own systems are told what happens. The sealed secret signs what is sent; after a rotation it holds the one
-- before, too.
create table webhook_addresses (
	account_id bigint not null,
	id bigint not null generated always as identity,
	url text not null,
	events text[] not null,
	secret bytea not null,
	failing_since timestamptz,
	switched_off_at timestamptz,
	is_full boolean not null default false,
	created_at timestamptz not null default now(),
	constraint webhook_addresses_key primary key (account_id, id)
);

-- What happened and waits to be sent: of each transaction a row for an address, which whatever sends it deletes. Without a foreign
-- key, so that whoever deletes an address and whoever settles messages never wait for one another.
create table waiting_events (
	account_id bigint not null,
	address_id bigint not null,
	id bigint not null generated always as identity,
	events json not null,
	event_count smallint not null,
	constraint waiting_events_key primary key (account_id, address_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- Batches of them, and what became of the last attempt. One without due_at has ended.
create table event_deliveries (
	account_id bigint not null,
	id bigint not null generated always as identity,
	address_id bigint not null,
	body text not null,
	event_count smallint not null,
	created_at timestamptz not null default now(),
	due_at timestamptz,
	attempts integer not null default 0,
	attempted_at timestamptz,
	is_delivered boolean not null default false,
	answer_status smallint,
	error text,
	duration_ms integer,
	constraint event_deliveries_key primary key (account_id, id)
);
create index event_deliveries_of_address on event_deliveries (account_id, address_id, id);
create index event_deliveries_due on event_deliveries (account_id, address_id, due_at) where due_at is not null;

-- One job for an address, so that what it is sent keeps its order.
create unique index jobs_of_webhooks on jobs (data) where kind = 'webhook';
