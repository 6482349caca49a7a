-- What an account calls its contacts, and the fields that it gives them. The values are in a row beside the contact: a contact's
-- own row is in seven indexes, one of them of all its letters, which a tag for 200,000 of them would write anew. Texts and
-- numbers are arrays, as a million are counted twice as fast by them as by a JSON value; a field has a place in one of them.
-- Without foreign keys: on a distributed database the new tables are not distributed yet.
create table contact_tags (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	created_at timestamptz not null default now(),
	constraint contact_tags_key primary key (account_id, id)
);
create unique index contact_tags_name on contact_tags (account_id, lower(name));

create table contact_fields (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	type text not null,
	slot smallint not null,
	-- A deleted field keeps its place until no contact has a value there.
	deleted_at timestamptz,
	created_at timestamptz not null default now(),
	constraint contact_fields_key primary key (account_id, id),
	constraint contact_fields_type_check check (type in ('text', 'number', 'date', 'yesno'))
);
create unique index contact_fields_name on contact_fields (account_id, lower(name)) where deleted_at is null;
create unique index contact_fields_slot on contact_fields (account_id, (type = 'text'), slot);

create table contact_values (
	account_id bigint not null,
	contact_id bigint not null,
	tags bigint[] not null default '{}',
	texts text[] not null default '{}',
	-- Dates are days since 2000-01-01, yes and no are 1 and 0.
	numbers double precision[] not null default '{}',
	constraint contact_values_key primary key (account_id, contact_id)
);
create index contact_values_tags on contact_values using gin (account_id, tags);
