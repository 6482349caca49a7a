-- What a deleted account leaves is erased some time after, and the row of its user stays without name and address. Accounts that
-- were deleted before this file took effect are counted from then on.
alter table users add column erased_at timestamp with time zone;

-- An entry of the audit trail stays what it is. Only the words about a person who is erased may change, in a transaction that
-- says so.
drop rule admin_actions_no_update on admin_actions;
create rule admin_actions_no_update as on update to admin_actions
	where current_setting('audit.erasure', true) is distinct from 'on'
		or (new.id, new.actor_id, new.action, new.subject_id, new.created_at)
			is distinct from (old.id, old.actor_id, old.action, old.subject_id, old.created_at)
	do instead select refuse_audit_change();
