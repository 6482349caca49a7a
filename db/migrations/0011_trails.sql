-- What happened stays on record: admins' actions, and who opted out of marketing and back in.

-- The audit trail only grows. Rules rather than triggers, as a reference table of a distributed database takes none; they
-- refuse for superusers, too. A rule cannot cover TRUNCATE: that is taken from the role that owns the table.
create function refuse_audit_change() returns void language plpgsql as $$
begin
	raise exception 'The audit trail is append-only: admin_actions takes neither UPDATE nor DELETE'
		using errcode = 'restrict_violation';
end
$$;
create rule admin_actions_no_update as on update to admin_actions do instead select refuse_audit_change();
create rule admin_actions_no_delete as on delete to admin_actions do instead select refuse_audit_change();
revoke truncate on admin_actions from current_user;

-- Each opt-out of a number and each undoing of one, for whoever asks later when and why a message was not or was sent. By
-- number and not by contact, so that it outlives a contact that is deleted and added again.
create table opt_out_changes (
	account_id bigint not null,
	id bigint generated always as identity,
	number text not null,
	is_opted_out boolean not null,
	-- 'reply', 'preference', 'network' or 'manual'.
	because text not null,
	changed_at timestamptz not null default now(),
	constraint opt_out_changes_key primary key (account_id, id)
);
insert into opt_out_changes (account_id, number, is_opted_out, because, changed_at)
select account_id, number, true, coalesce(opted_out_because, 'manual'), opted_out_at
from contacts
where opted_out_at is not null;
create index opt_out_changes_number on opt_out_changes (account_id, number, id);

alter table wallets rename column low_told_at to low_notified_at;
