-- Contacts, opt-outs and chats that were stored under another spelling of a number are joined in the background.
insert into jobs (kind, data) select 'join-numbers', '{"after": 0}'::jsonb where exists (select from accounts);
