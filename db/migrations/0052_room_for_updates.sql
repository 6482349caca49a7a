-- A message's row grows by its wamid and two times when it is sent, and changes twice more. At 45 % a page of rows overflowed
-- before old versions could be cleared: one update in ten moved its row to another page, with new entries in both indexes.
alter table if exists campaign_messages_first set (fillfactor = 38);
