-- Numbers that WhatsApp knows under another id: it rewrites some of Brazil, Mexico and Argentina, and names only its own
-- id in what these people write. Who opts out under either has opted out under both.
create table whatsapp_ids (
	account_id bigint not null,
	number text not null,
	wa_id text not null,
	constraint whatsapp_ids_key primary key (account_id, number)
);
create index whatsapp_ids_id on whatsapp_ids (account_id, wa_id);
