-- Whether an account's user may use the product is asked with every claim.
create index users_account on users (account_id);
-- Finds the templates sent from chats that are paid for and were never delivered.
create index chat_messages_undelivered on chat_messages (sent_at, account_id) where status = 'sent' and price_paise > 0;
