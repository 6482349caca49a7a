-- Statuses of numbers that no account has are counted for the account whose address they came to, and not stored.
alter table webhook_totals add column dropped_count bigint;
update webhook_totals set dropped_count = 0;
alter table webhook_totals alter column dropped_count set default 0;
alter table webhook_totals alter column dropped_count set not null;
-- An account may have had nothing but those.
alter table webhook_totals alter column last_processed_at drop not null;

-- When an unmatched report is tried again follows from its age.
alter table unmatched_reports drop column attempts;
