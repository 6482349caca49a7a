-- Four tables become partitioned; each one of before is the first partition. The further partitions, one for each month, are
-- made by campaigns/server/months. No key, index or column changes.
-- contract: every release, as each statement goes on with the table that now bears the name

alter table campaign_messages rename to campaign_messages_first;
alter table campaign_messages_first rename constraint campaign_messages_pkey to campaign_messages_first_pkey;
alter index campaign_messages_number rename to campaign_messages_first_number;
create table campaign_messages (like campaign_messages_first including defaults) partition by range (campaign_id);
alter table campaign_messages add constraint campaign_messages_pkey primary key (account_id, campaign_id, seq);
create index campaign_messages_number on campaign_messages (account_id, number);
alter table campaign_messages attach partition campaign_messages_first for values from (minvalue) to (1000000000);
alter table campaign_messages_first drop constraint campaign_messages_first_ids;

alter table campaign_replies rename to campaign_replies_first;
alter table campaign_replies_first rename constraint campaign_replies_key to campaign_replies_first_key;
alter index campaign_replies_uncounted rename to campaign_replies_first_uncounted;
create table campaign_replies (like campaign_replies_first including defaults) partition by range (campaign_id);
alter table campaign_replies add constraint campaign_replies_key primary key (account_id, campaign_id, seq);
create index campaign_replies_uncounted on campaign_replies (account_id) where not is_counted;
alter table campaign_replies attach partition campaign_replies_first for values from (minvalue) to (1000000000);
alter table campaign_replies_first drop constraint campaign_replies_first_ids;

alter table campaign_blocks rename to campaign_blocks_first;
alter table campaign_blocks_first rename constraint campaign_blocks_key to campaign_blocks_first_key;
create table campaign_blocks (like campaign_blocks_first including defaults) partition by range (campaign_id);
alter table campaign_blocks add constraint campaign_blocks_key primary key (account_id, campaign_id, block);
alter table campaign_blocks attach partition campaign_blocks_first for values from (minvalue) to (1000000000);
alter table campaign_blocks_first drop constraint campaign_blocks_first_ids;

alter table campaign_minutes rename to campaign_minutes_first;
alter table campaign_minutes_first rename constraint campaign_minutes_key to campaign_minutes_first_key;
create table campaign_minutes (like campaign_minutes_first including defaults) partition by range (campaign_id);
alter table campaign_minutes add constraint campaign_minutes_key primary key (account_id, campaign_id, minute);
alter table campaign_minutes attach partition campaign_minutes_first for values from (minvalue) to (1000000000);
alter table campaign_minutes_first drop constraint campaign_minutes_first_ids;
