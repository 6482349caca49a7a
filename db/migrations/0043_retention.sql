-- What has been kept for long enough is deleted, by housekeeping.

-- An entry of the audit trail that is younger than a year takes no DELETE at all, an older one only in a transaction that says
-- it is retention. On the table itself nothing else changes, and UPDATE is refused as ever.
drop rule admin_actions_no_delete on admin_actions;
create rule admin_actions_no_delete as on delete to admin_actions
	where old.created_at > now() - interval '12 months' or current_setting('audit.retention', true) is distinct from 'on'
	do instead select refuse_audit_change();

-- The other classes are found by keys and indexes that are there, oldest first.
create index chat_marks_at on chat_marks (account_id, at);

-- Which files are referred to. Neither column changes once it is set.
create index chat_messages_media on chat_messages (account_id, media_key) where media_key is not null;
create index campaigns_header_file on campaigns (account_id, header_file)
	where header_file is not null and messages_removed_at is null;
