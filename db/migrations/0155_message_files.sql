-- Campaigns whose messages have header files of their own: messages up to `files_through` may be claimed, since their files are
-- uploaded for the number `files_number`. Null for any other campaign.
alter table campaigns add column files_through integer;
alter table campaigns add column files_number text;
create index campaigns_with_files on campaigns (account_id) where files_through is not null;
-- Header files that Meta has, by the number that uploaded them.
create table header_media (
	account_id bigint not null,
	phone_number_id text not null,
	file_key text not null,
	media_id text not null,
	uploaded_at timestamptz not null default now(),
	constraint header_media_key primary key (account_id, phone_number_id, file_key)
);
