import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import type { ContactFilter } from './contact-filter.ts'
import { ORDERS, selectContacts, type Contact, type ContactOrder } from './queries.ts'
import { fitting } from './search-queries.ts'

/** Number of contacts that can be sorted within about 50 ms. */
const MAX_SORTED = 20_000

/** Returns a page of matching contacts in the wanted order, and their total; null when more than `MAX_SORTED` match. */
export async function listSorted(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & ContactOrder & ContactFilter,
): Promise<{ contacts: Contact[]; total: number } | null> {
	const [found] = await sql<{ total: number; ids: string[] }[]>`
		with found as materialized (
			select c.id, c.first_name, c.last_name, c.number from contacts c
			where ${fitting(sql, accountId, wanted)}
			limit ${MAX_SORTED + 1}
		)
		select (select count(*) from found) as total, array(
			select c.id::text from found c ${ORDERS[wanted.sort][wanted.order]}
			limit ${wanted.limit} offset ${offsetOf(wanted)}
		) as ids
	`
	const { total = 0, ids = [] } = found ?? {}
	if (total > MAX_SORTED) return null
	const contacts = await sql<Contact[]>`
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id = any(${ids.map(Number)}::bigint[])
		${ORDERS[wanted.sort][wanted.order]}
	`
	return { contacts, total }
}
