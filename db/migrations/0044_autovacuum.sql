-- When tables that change all the time are vacuumed and analysed. By default that is after a fifth and a tenth of their rows.

-- A fifth of a month's messages is more than most campaigns have, and a campaign that the statistics do not know is planned for
-- as an empty one. The months to come are made with the same settings by delivery/server/months/month-queries.ts.
alter table campaign_messages_first set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Queues are read from their oldest row on, past all dead ones before it. When one is empty, giving its pages back to the disk
-- would lock it for everybody, to take them again a moment later.
alter table jobs set (vacuum_truncate = off);
alter table message_claims set (autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);
alter table unsettled_messages set (autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);
alter table unmatched_reports set (autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);

-- What is only added to is frozen as it grows, instead of all of it at once years later.
alter table ledger_entries set (autovacuum_vacuum_insert_scale_factor = 0.05);
-- Likewise; and retention deletes a fiftieth of it each month, which is to be used again.
alter table chat_messages set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02);
