-- The audit trail names people as they were called when it was written: joined by id, old entries told present names. It now
-- also holds what people change of their own account, so whoever did it is the actor, admin or not.
drop rule admin_actions_no_update on admin_actions;
alter table admin_actions rename column admin_id to actor_id;
alter table admin_actions add column actor_name text;
alter table admin_actions add column actor_email text;
alter table admin_actions add column subject_name text;
alter table admin_actions add column subject_email text;
-- What people were called at the time of the older entries is not known any more.
update admin_actions a set actor_name = u.name, actor_email = u.email from users u where u.id = a.actor_id;
update admin_actions a set subject_name = u.name, subject_email = u.email from users u where u.id = a.subject_id;
alter table admin_actions alter column actor_name set not null;
alter table admin_actions alter column actor_email set not null;
create rule admin_actions_no_update as on update to admin_actions do instead select refuse_audit_change();

-- What happened to one person's account, for their profile.
create index admin_actions_subject on admin_actions (subject_id, created_at);
