import type { AccountId, Sql } from '#lib/server/db.ts'
import { searchText } from '#lib/server/db/search/search-text.ts'
import { updateCachedCounts } from '../count-queries.ts'
import type { Contact } from './queries.ts'

export type KnownContact = Pick<Contact, 'id' | 'firstName' | 'lastName' | 'number' | 'groupId'>

/** Returns the contacts with these numbers and locks them until the transaction ends. */
export async function lockByNumbers(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<KnownContact[]> {
	return sql<KnownContact[]>`
		select c.id, c.first_name as "firstName", c.last_name as "lastName", c.number, c.group_id as "groupId"
		from contacts c
		where c.account_id = ${accountId} and c.number = any(${numbers}::text[])
		order by c.id for update
	`
}

/** Writes names and groups of contacts that the transaction has locked, and updates the cached counts. */
export async function writeNamesAndGroups(
	sql: Sql,
	accountId: AccountId,
	contacts: readonly KnownContact[],
): Promise<void> {
	const ids = contacts.map(({ id }) => id)
	await sql`
		with before as (
			select c.group_id from contacts c where c.account_id = ${accountId} and c.id = any(${ids}::bigint[])
		), changed as (
			update contacts c
			set first_name = row.first_name, last_name = row.last_name, search_text = row.search_text, group_id = row.group_id
			from unnest(
				${ids}::bigint[], ${contacts.map(({ firstName }) => firstName)}::text[],
				${contacts.map(({ lastName }) => lastName)}::text[], ${contacts.map(({ groupId }) => groupId)}::bigint[],
				${contacts.map(({ firstName, lastName, number }) => searchText(firstName, lastName, number))}::text[]
			) as row (id, first_name, last_name, group_id, search_text)
			where c.account_id = ${accountId} and c.id = row.id
			returning c.group_id
		), changes as (
			select group_id, -1 as change from before union all select group_id, 1 from changed
		)
		${updateCachedCounts(sql, accountId)}
	`
}
