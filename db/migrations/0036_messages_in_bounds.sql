-- The rows of messages come into partitions by ranges of campaign ids. What is there becomes the first partition, of all ids
-- below a thousand million. That it holds no others is checked before, while sending goes on: the check that 0037 makes
-- reads the tables without locking out their writers, so that 0038 need not read them.
alter table campaign_messages add constraint campaign_messages_first_ids check (campaign_id < 1000000000) not valid;
alter table campaign_replies add constraint campaign_replies_first_ids check (campaign_id < 1000000000) not valid;
alter table campaign_blocks add constraint campaign_blocks_first_ids check (campaign_id < 1000000000) not valid;
alter table campaign_minutes add constraint campaign_minutes_first_ids check (campaign_id < 1000000000) not valid;
