-- Of a message that sends a failed one again: the number of that one within the first campaign of its family. Null for messages of
-- a first campaign, which have their own number, and for those that were copied before this column.
alter table campaign_messages add column origin_seq integer;
