-- A change of one's own e-mail address asks for no password. Until it is proved, the address before it (proved_email) also
-- signs in, and alone gets password resets; after email_unproved_until, nobody having objected, the new one stands alone.
alter table users add column proved_email text;
alter table users add column email_unproved_until timestamptz;
create index users_proved_email on users (lower(proved_email)) where proved_email is not null;

-- The links that were mailed to the address before, by which its owner agrees or undoes the change. SHA-256 of the token; the
-- token itself stands in the mail alone.
create table email_changes (
	token_hash bytea constraint email_changes_key primary key,
	user_id bigint not null constraint email_changes_user_id references users (id) on delete cascade,
	-- What the change made of the address: agreeing is for this address only.
	new_email text not null,
	created_at timestamptz not null default now(),
	-- 'agreed', 'undone', or 'replaced' by a later change; null while none of it has happened.
	outcome text
);
create index email_changes_user on email_changes (user_id);
