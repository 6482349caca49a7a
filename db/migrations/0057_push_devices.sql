-- Browsers that are told of messages and campaigns while the app is closed. Each belongs to the session it was switched on in.
create table push_devices (
	account_id bigint not null,
	id bigint not null generated always as identity,
	token_hash bytea not null,
	endpoint text not null,
	p256dh text not null,
	auth text not null,
	with_texts boolean not null,
	is_pending boolean not null default false,
	created_at timestamptz not null default now(),
	constraint push_devices_key primary key (account_id, id),
	constraint push_devices_session unique (account_id, token_hash)
);
