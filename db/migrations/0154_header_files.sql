-- Header files of which each belongs to one recipient of a campaign to come.
create table header_file_sets (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- The kind of the template's header.
	kind text not null,
	created_at timestamptz not null default now(),
	constraint header_file_sets_key primary key (account_id, id),
	constraint header_file_sets_kind check (kind in ('DOCUMENT', 'IMAGE', 'VIDEO'))
);
create table header_files (
	account_id bigint not null,
	id bigint not null generated always as identity,
	set_id bigint not null,
	name text not null,
	-- The name in lower case and normal form C, with and without its extension.
	name_key text not null,
	stem_key text not null,
	-- The only phone number in the name, with country code; null without one or with several.
	number text,
	-- Storage key of the content. Files with the same content have the same key.
	file_key text not null,
	bytes integer not null,
	constraint header_files_key primary key (account_id, id),
	constraint header_files_name unique (account_id, set_id, name_key),
	constraint header_files_set foreign key (account_id, set_id) references header_file_sets (account_id, id) on delete cascade
);
create index header_files_number on header_files (account_id, number);
create index header_files_content on header_files (account_id, file_key);
