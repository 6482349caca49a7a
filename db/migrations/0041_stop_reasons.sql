-- Why nothing may be sent, as an administrator reads it; null where the account was stopped before this column came.
alter table senders add column stopped_reason_for_admin text;
