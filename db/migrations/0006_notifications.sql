create table notifications (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	text text not null,
	-- Where a click leads, within the product.
	link text,
	read_at timestamptz,
	created_at timestamptz not null default now(),
	primary key (account_id, id)
);
