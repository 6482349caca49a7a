import type { AccountId, Sql } from '#lib/server/db.ts'
import type { ContactFilter } from './contact-filter.ts'
import { fitting } from './search-queries.ts'

/** How many contacts match at one moment, and the newest of them: what comes later is not meant. */
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

/** The next contacts that match, after one and up to another, oldest first. */
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
