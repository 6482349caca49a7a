-- Once a month is older than KEEP_MESSAGES_MONTHS its messages are removed: each campaign keeps its counters, its failures by
-- reason, its entries in the ledger and the digest of what it sent to whom.
alter table campaigns add column messages_removed_at timestamptz;
alter table campaigns add column messages_digest text;
