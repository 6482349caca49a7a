create table contact_groups (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	name text not null,
	type text not null default 'national' check (type in ('national', 'international')),
	description text,
	created_at timestamptz not null default now(),
	primary key (account_id, id)
);

create table contacts (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	first_name text not null,
	last_name text,
	-- Digits with country code, as in Meta's wa_id.
	number text not null,
	group_id bigint,
	-- Opted out of marketing, with why: 'reply', 'preference', 'network' or 'manual'.
	opted_out_at timestamptz,
	opted_out_because text,
	created_at timestamptz not null default now(),
	primary key (account_id, id),
	unique (account_id, number),
	foreign key (account_id, group_id) references contact_groups (account_id, id)
);
create index contacts_group on contacts (account_id, group_id, id);

create table templates (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	-- Meta's id; text, since it can be longer than a JavaScript number is exact.
	template_id text not null,
	name text not null,
	language text not null,
	status text not null,
	category text not null,
	quality text,
	rejected_reason text,
	parameter_format text not null default 'POSITIONAL',
	components jsonb not null,
	-- Our own copy of the header's picture, video or document, which every send needs.
	header_file text,
	synced_at timestamptz not null default now(),
	created_at timestamptz not null default now(),
	primary key (account_id, id),
	unique (account_id, name, language)
);
