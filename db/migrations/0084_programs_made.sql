-- An unproved change of an email address is undone with everything made since it: these are the times to compare with.
alter table users add column email_changed_at timestamptz;
-- The last new URL or secret of a webhook; null while it has those it was made with.
alter table webhook_addresses add column renewed_at timestamptz;
