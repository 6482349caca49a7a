import type { AccountId, Sql } from '#lib/server/db.ts'
import type { ContactFilter } from './contact-filter.ts'
import { fitting } from './search-queries.ts'

/**
 * Result of a filter at one moment: the number of matches and the highest id. Contacts added later are not included.
 */
export interface Matching {
	total: number
	upTo: number
}

export async function findMatching(sql: Sql, accountId: AccountId, filter: ContactFilter): Promise<Matching> {
	const [row] = await sql<Matching[]>`
		select count(*) as total, coalesce(max(c.id), 0) as "upTo" from contacts c
		where ${fitting(sql, accountId, filter)}
	`
	return row ?? { total: 0, upTo: 0 }
}

/** Lists the next matching contacts with ids above `after` and up to `upTo`, oldest first. */
export async function listMatching(
	sql: Sql,
	accountId: AccountId,
	{ filter, after, upTo, limit }: { filter: ContactFilter; after: number; upTo: number; limit: number },
): Promise<{ id: number; number: string }[]> {
	return sql<{ id: number; number: string }[]>`
		select c.id, c.number from contacts c
		where ${fitting(sql, accountId, filter)} and c.id > ${after} and c.id <= ${upTo}
		order by c.id
		limit ${limit}
	`
}
