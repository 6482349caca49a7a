-- Who signed in to an account, or tried to with its address: shown to its person for 90 days, then deleted.
create table sign_ins (
	account_id bigint not null,
	id bigint generated always as identity,
	signed_in_at timestamptz not null default now(),
	-- 'signed-in', or why it failed: 'wrong-password' or 'inactive'.
	outcome text not null,
	user_agent text not null,
	ip inet,
	constraint sign_ins_key primary key (account_id, id)
);
create index sign_ins_recent on sign_ins (account_id, signed_in_at);
