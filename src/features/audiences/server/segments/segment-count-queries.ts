import type { AccountId, Sql } from '#lib/server/db.ts'
import { segmentParts, type Condition, type Segment } from './rule-queries.ts'

/**
 * Counts the contacts of a segment exactly. Segments with only rules on values are counted in `contact_values`, whose rows are a
 * third as long and need no join. A single negated rule on messages is counted as all contacts minus those with such
 * messages, because those are found faster.
 */
export async function countSegment(sql: Sql, accountId: AccountId, segment: Segment): Promise<number> {
	const { conditions } = segment
	if (conditions.every(isOfValues)) return countValues(sql, accountId, segment)
	const [{ without } = {}, another] = conditions
	if (!without || another) return countJoined(sql, accountId, segment)
	const having = await countJoined(sql, accountId, { match: 'all', conditions: [without] })
	// A contact may have been added between the two counts.
	return Math.max(0, (await countAll(sql, accountId)) - having)
}

async function countAll(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ contacts: number }[]>`
		select contacts from contact_counts where account_id = ${accountId} and group_id = 0
	`
	return row?.contacts ?? 0
}

/** Counts contacts by rows of values. When the rules match contacts without a row, counts the others and subtracts. */
async function countValues(sql: Sql, accountId: AccountId, segment: Segment): Promise<number> {
	const { match, conditions } = segment
	const { where } = segmentParts(sql, accountId, segment)
	const isOfNone = match === 'all' ? conditions.every((one) => one.ofNone) : conditions.some((one) => one.ofNone)
	const [row] = await sql<{ rows: number }[]>`
		select count(*) as rows from contact_values v
		where v.account_id = ${accountId} and ${isOfNone ? sql`(${where}) is not true` : where}
	`
	const rows = row?.rows ?? 0
	return isOfNone ? Math.max(0, (await countAll(sql, accountId)) - rows) : rows
}

async function countJoined(sql: Sql, accountId: AccountId, segment: Segment): Promise<number> {
	const { join, where } = segmentParts(sql, accountId, segment)
	const [row] = await sql<{ contacts: number }[]>`
		select count(*) as contacts from contacts c ${join}
		where c.account_id = ${accountId} and ${where}
	`
	return row?.contacts ?? 0
}

const isOfValues = (one: Condition) => one.of === 'values'
