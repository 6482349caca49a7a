-- What a campaign is: one that somebody created for many, or a message by itself, ordered as a test or from a chat.
alter table campaigns add column kind text not null default 'campaign';
alter table campaigns add constraint campaigns_kind check (kind in ('campaign', 'test', 'chat'));
update campaigns set kind = 'test' where is_test;
alter table campaigns drop column is_test;
-- The list of campaigns, however many messages were sent from chats meanwhile.
create index campaigns_listed on campaigns (account_id, id) where kind <> 'chat';
