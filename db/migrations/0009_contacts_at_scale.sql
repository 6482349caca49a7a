-- Contacts and groups of an account with a million contacts.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The whole name in lower case and the number, in the spelling of search-text.ts: each letter that is not ASCII is five
-- capitals. pg_trgm itself takes a vowel sign of an Indian script for the end of a word, so that it would index nothing
-- of most names in Devanagari, and it judges other letters by the locale of the database.
alter table contacts add column search_text text;
update contacts c
set search_text = (
	select string_agg(
		case when ascii(letter) < 128 then letter else
			chr(65 + ascii(letter) % 13) || chr(78 + ascii(letter) / 13 % 13) || chr(78 + ascii(letter) / 169 % 13)
				|| chr(78 + ascii(letter) / 2197 % 13) || chr(78 + ascii(letter) / 28561 % 13)
		end, '' order by place
	)
	from regexp_split_to_table(lower(normalize(concat_ws(' ', c.first_name, c.last_name), NFKC)) || E'\n' || c.number, '')
		with ordinality as letters (letter, place)
);
alter table contacts alter column search_text set not null;
-- The account comes first in the index, so that one account's search does not read the others' rows.
create index contacts_search on contacts using gin (account_id, search_text gin_trgm_ops);

-- Kept in the statement that adds, moves or deletes contacts, as counting a million takes a third of a second.
-- The group 0 is the whole account. No foreign key: rows of a deleted group may stay, and nobody reads them.
create table contact_counts (
	account_id bigint not null references accounts (id),
	group_id bigint not null,
	contacts bigint not null,
	primary key (account_id, group_id)
) with (fillfactor = 50);

insert into contact_counts (account_id, group_id, contacts)
select account_id, coalesce(group_id, 0), count(*)
from contacts
group by grouping sets ((account_id), (account_id, group_id))
having grouping(group_id) = 1 or group_id is not null;

-- A deleted group keeps its row: its contacts need not be touched, be it a million of them, and count as without group.
alter table contact_groups add column deleted_at timestamptz;
