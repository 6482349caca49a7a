-- Replies that quote a message which is not known yet: linked once it is, and given up after this time.
alter table chat_messages add column link_until timestamptz;
create index chat_messages_unlinked on chat_messages (account_id) where link_until is not null;

-- What templates sent from chats cost, by day.
create index chat_messages_priced on chat_messages (account_id, sent_at) where price_paise > 0;
