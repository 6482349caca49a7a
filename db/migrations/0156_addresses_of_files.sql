-- Addresses of header files from which no file could be fetched, with the reason. `address_key` is `https:` and the SHA-256 of
-- the address; a file that was fetched has it as its `name_key`.
create table refused_addresses (
	account_id bigint not null,
	set_id bigint not null,
	address_key text not null,
	reason text not null,
	constraint refused_addresses_key primary key (account_id, set_id, address_key),
	constraint refused_addresses_set foreign key (account_id, set_id) references header_file_sets (account_id, id) on delete cascade
);
