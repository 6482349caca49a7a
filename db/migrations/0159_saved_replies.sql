-- Texts and files that people insert into chats by a short name.
create table saved_replies (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- Name after the slash, in lower case.
	shortcut text not null,
	-- Text with variables; empty for a file alone.
	text text not null,
	-- File in the storage, its MIME type, name and size in bytes; null without a file.
	file_key text,
	file_type text,
	file_name text,
	file_bytes integer,
	created_at timestamptz not null default now(),
	constraint saved_replies_key primary key (account_id, id),
	constraint saved_replies_shortcut unique (account_id, shortcut),
	constraint saved_replies_lengths check (length(shortcut) between 1 and 30 and length(text) <= 4096),
	constraint saved_replies_file check (num_nulls(file_key, file_type, file_name, file_bytes) in (0, 4)),
	constraint saved_replies_content check (text <> '' or file_key is not null)
);
