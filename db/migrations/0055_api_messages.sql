-- What programs send: the messages of a day with one template are a campaign of their own kind, which grows.
alter table campaigns drop constraint campaigns_kind;
alter table campaigns add constraint campaigns_kind check (kind in ('campaign', 'test', 'chat', 'api'));

-- What was answered to a request that a program may repeat, for a day. Keys are kept as hashes: they may hold anything.
create table api_requests (
	account_id bigint not null,
	key_hash bytea not null,
	request_hash bytea not null,
	answer jsonb,
	created_at timestamptz not null,
	constraint api_requests_key primary key (account_id, key_hash)
);
create index api_requests_age on api_requests (account_id, created_at);
