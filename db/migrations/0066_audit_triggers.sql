-- The audit trail is guarded by triggers: the rules with conditions made a distributed database fail at every change, also at
-- those that retention and erasure may make. There a table that every machine holds whole takes a trigger when it is asked to,
-- and one that looks at nothing but its row does the same on each machine.
set local citus.enable_unsafe_triggers = 'on';

create function guard_audit() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and old.created_at <= now() - interval '12 months'
		and current_setting('audit.retention', true) = 'on' then
		return old;
	end if;
	if tg_op = 'UPDATE' and current_setting('audit.erasure', true) = 'on'
		and (new.id, new.actor_id, new.action, new.subject_id, new.created_at)
			is not distinct from (old.id, old.actor_id, old.action, old.subject_id, old.created_at) then
		return new;
	end if;
	raise exception 'The audit trail is append-only: admin_actions takes neither UPDATE nor DELETE'
		using errcode = 'restrict_violation';
end
$$;
drop rule admin_actions_no_update on admin_actions;
drop rule admin_actions_no_delete on admin_actions;
drop function refuse_audit_change();
create trigger admin_actions_append_only before update or delete on admin_actions
	for each row execute function guard_audit();
