-- What this database is for: 'demo' or 'production'. Written at the first start, so that demo accounts, whose passwords
-- everybody knows, and real ones never share a database. Kept by the coordinator alone.
create table installation (
	is_only_row boolean default true constraint installation_key primary key constraint installation_is_only_row check (is_only_row),
	kind text not null constraint installation_kind check (kind in ('demo', 'production')),
	created_at timestamptz not null default now()
);
