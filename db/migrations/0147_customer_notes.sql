-- Notes about customers, which only the account sees.
create table customer_notes (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- Key of the customer's chat: a number, or a WhatsApp user id.
	customer text not null,
	text text not null,
	created_at timestamptz not null default now(),
	constraint customer_notes_key primary key (account_id, id),
	constraint customer_notes_text check (length(text) between 1 and 1000)
);
create index customer_notes_customer on customer_notes (account_id, customer, id);
