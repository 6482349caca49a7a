-- Messages and contacts of the WhatsApp app on a phone, and the numbers and ids that people had before a change.

-- phone: typed in the app. history: brought over from the app. Null for all other messages.
alter table chat_messages add column origin text;

-- When the account switched the storing of the app's earlier chats and of its contacts on; null while it is off.
alter table chat_settings add column app_history_since timestamptz;
alter table chat_settings add column app_contacts_since timestamptz;

create table former_ids (
	account_id bigint not null,
	-- A number, or a WhatsApp user id.
	id text not null,
	-- The number or id that the same person has now.
	now_id text not null,
	changed_at timestamptz not null,
	constraint former_ids_key primary key (account_id, id)
);
create index former_ids_now on former_ids (account_id, now_id);
