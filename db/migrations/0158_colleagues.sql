-- A colleague is a user who works in the account of another user, its owner. The colleague's own account stays empty, and the
-- role names the colleague's seat there: a process of the previous release knows no such role, and refuses its calls.
alter table users add column works_in bigint;
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('admin', 'user', 'manager', 'template-agent', 'agent'));
alter table users add constraint users_works_in_check check ((works_in is null) = (role in ('admin', 'user')));
alter table users add constraint users_works_in_fkey foreign key (works_in) references accounts (id);
create index users_works_in on users (works_in) where works_in is not null;
