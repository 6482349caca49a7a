-- A test key sends nothing: its messages are rows here, and never in a campaign or the wallet.
alter table api_keys add column is_test boolean;
update api_keys set is_test = false;
alter table api_keys alter column is_test set default false;
alter table api_keys alter column is_test set not null;

create table test_messages (
	account_id bigint not null,
	-- The time of the order, in the place of the campaign that gathers real messages.
	order_id bigint not null,
	seq integer not null,
	number text not null,
	-- Name and language.
	template json not null,
	reference text,
	metadata json,
	created_at timestamptz not null,
	-- How many of its steps webhooks were told, and how many it has.
	told smallint not null default 0,
	steps smallint not null,
	constraint test_messages_key primary key (account_id, order_id, seq)
);

create index test_messages_waiting on test_messages (account_id, created_at) where told < steps;
