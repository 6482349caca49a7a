import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containing } from '#lib/server/db/search/like-pattern.ts'
import { spelled } from '#lib/server/db/search/search-text.ts'
import { hasTag, hasValue } from '../fields/value-queries.ts'
import type { ContactFilter } from './contact-filter.ts'
import { selectContacts, type Contact } from './queries.ts'

export interface Found {
	contacts: Contact[]
	/** Number of matches, counted up to `LOOK_AHEAD` pages past the current one; `hasMore` is true when more match. */
	total: number
	hasMore: boolean
}

const LOOK_AHEAD = 2
/**
 * Number of the newest contacts that a search scans first: frequent texts match there within milliseconds. Only rare
 * texts then use the index. Left to choose, the planner sometimes took a rare text for a frequent one and scanned the
 * whole account.
 */
const NEWEST = 10_000

/**
 * Returns the condition of a text search. A search that begins with + or 00 is a prefix of a number and uses the index
 * of numbers. Plain digits match names and numbers, which share one column.
 */
const matchesText = (sql: Sql, { search, numberPart }: ContactFilter) => {
	if (numberPart !== null && /^\s*(\+|00)/.test(search))
		return sql`c.number >= ${numberPart} and ${before(sql, numberPart)}`
	const inText = sql`c.search_text like ${containing(spelled(search))}`
	if (numberPart === null || numberPart === search) return inText
	return sql`(${inText} or c.search_text like ${containing(numberPart)})`
}

const matches = (sql: Sql, accountId: AccountId, filter: ContactFilter) => sql`
	${filter.search === '' ? sql`true` : matchesText(sql, filter)}
	${filter.tagId === null ? sql`` : sql`and ${hasTag(sql, accountId, filter.tagId)}`}
	${filter.having === null ? sql`` : sql`and ${hasValue(sql, accountId, filter.having)}`}
`

/**
 * Returns the condition that a number, which is not below `digits`, begins with `digits`. `like` keeps the result exact
 * whatever order a collation gives to other characters.
 */
const before = (sql: Sql, digits: string) => {
	const next = String(BigInt(digits) + 1n)
	const starts = sql`c.number like ${`${digits}%`}`
	return next.length === digits.length ? sql`c.number < ${next} and ${starts}` : starts
}

const inScope = (sql: Sql, accountId: AccountId, { groupId }: ContactFilter) => sql`
	c.account_id = ${accountId} ${groupId === null ? sql`` : sql`and c.group_id = ${groupId}`}
`

/** Returns the condition for contacts, aliased `c`, that match a filter. */
export const fitting = (sql: Sql, accountId: AccountId, filter: ContactFilter) => sql`
	${inScope(sql, accountId, filter)} and ${matches(sql, accountId, filter)}
`

const newestFirst = (sql: Sql, { groupId }: ContactFilter) =>
	groupId === null ? sql`order by c.id desc` : sql`order by c.group_id desc, c.id desc`

/** Returns a page of matching contacts, newest first. */
export async function searchContacts(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & ContactFilter,
): Promise<Found> {
	const end = offsetOf(wanted) + wanted.limit * (LOOK_AHEAD + 1)
	const { ids, sawAll } = await searchNewest(sql, accountId, { ...wanted, end })
	const found = sawAll || ids.length > end ? ids : await searchAll(sql, accountId, { ...wanted, end })
	const page = found.slice(offsetOf(wanted), offsetOf(wanted) + wanted.limit)
	return {
		contacts: page.length === 0 ? [] : await listByIds(sql, accountId, page),
		total: Math.min(found.length, end),
		hasMore: found.length > end,
	}
}

/**
 * Searches among the newest `NEWEST` contacts. Returns at most `end + 1` matching ids; `sawAll` is true when no other
 * contacts are in scope.
 */
async function searchNewest(sql: Sql, accountId: AccountId, wanted: ContactFilter & { end: number }) {
	const [row] = await sql<{ ids: string[]; seen: number }[]>`
		with newest as materialized (
			select c.id, c.number, c.search_text from contacts c
			where ${inScope(sql, accountId, wanted)}
			${newestFirst(sql, wanted)}
			limit ${NEWEST}
		)
		select (select count(*) from newest) as seen,
			array(select c.id::text from newest c where ${matches(sql, accountId, wanted)} order by c.id desc limit ${wanted.end + 1}) as ids
	`
	return { ids: (row?.ids ?? []).map(Number), sawAll: (row?.seen ?? 0) < NEWEST }
}

async function searchAll(sql: Sql, accountId: AccountId, wanted: ContactFilter & { end: number }): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		with found as materialized (
			select c.id from contacts c where ${fitting(sql, accountId, wanted)}
		)
		select id from found order by id desc limit ${wanted.end + 1}
	`
	return rows.map(({ id }) => id)
}

async function listByIds(sql: Sql, accountId: AccountId, ids: number[]): Promise<Contact[]> {
	return sql<Contact[]>`
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id = any(${ids}::bigint[])
		order by c.id desc
	`
}

/** Lists the next matching contacts with ids above `after`, oldest first; used to stream exports. */
export async function listAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, limit, filter }: { after: number; limit: number; filter: ContactFilter },
): Promise<Contact[]> {
	return sql<Contact[]>`
		${selectContacts(sql, accountId)}
		where ${fitting(sql, accountId, filter)} and c.id > ${after}
		order by c.id
		limit ${limit}
	`
}

/** Lists the numbers of matching contacts in no particular order. */
export async function listNumbers(
	sql: Sql,
	accountId: AccountId,
	{ filter, limit }: { filter: ContactFilter; limit: number },
): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select c.number from contacts c where ${fitting(sql, accountId, filter)} limit ${limit}
	`
	return rows.map(({ number }) => number)
}
