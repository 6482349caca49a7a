-- The money of each reply that has a price. A row outlives its chat message, which erasure and retention delete.

create table reply_charges (
	account_id bigint not null,
	-- The id of the chat message.
	message_id bigint not null,
	price_paise integer not null,
	-- held: on hold until WhatsApp says whether it charges. charged, returned: settled. waived: not charged, because the wallet
	-- could not pay when a failed message turned out to be delivered. expired: returned without a word of WhatsApp, for good.
	state text not null default 'held',
	-- The status of the message, which advances as that of the chat message.
	status message_status not null default 'pending',
	error_code integer,
	-- The first type of a status update's pricing that says whether WhatsApp charges the message.
	pricing_type text,
	-- True while a status update asks for another state, until the money has moved.
	is_due boolean not null default false,
	-- Number of the row's postings, which makes the references of further ones unique.
	move_count smallint not null default 1,
	held_at timestamptz not null default now(),
	constraint reply_charges_key primary key (account_id, message_id),
	constraint reply_charges_price check (price_paise > 0),
	constraint reply_charges_state check (state in ('held', 'charged', 'returned', 'waived', 'expired'))
);
create index reply_charges_held on reply_charges (account_id, held_at) where state = 'held';
create index reply_charges_due on reply_charges (account_id) where is_due;
