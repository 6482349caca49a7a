-- The audit trail takes no TRUNCATE either: triggers for rows do not see it, and the owner of a table may always truncate it.
set local citus.enable_unsafe_triggers = 'on';

create function refuse_audit_truncate() returns trigger language plpgsql as $$
begin
	raise exception 'The audit trail is append-only: admin_actions does not take TRUNCATE'
		using errcode = 'restrict_violation';
end
$$;
create trigger admin_actions_no_truncate before truncate on admin_actions
	for each statement execute function refuse_audit_truncate();
