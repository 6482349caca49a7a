-- WhatsApp's user id of whoever has written from this number: when they hide their number, it is all that names them.
alter table chats add column user_id text;
create index chats_user_id on chats (account_id, user_id) where user_id is not null;
