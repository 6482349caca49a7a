import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'
import { segmentParts, type Condition, type Segment } from './rule-queries.ts'

/** More ids or numbers than these are not held in memory at once, which takes up to 24 bytes for each. */
const MAX_HELD = 3_000_000

/**
 * Exactly how many contacts. Rules of values alone are counted by their rows, which are a third as long as the contacts' own
 * and need no join; where there are others, whom one chooses is looked up. A difference is counted as one: who is chosen for
 * having nothing is all that the other rules choose, without those who have it.
 */
export async function countSegment(sql: Sql, owner: OwnerId, segment: Segment): Promise<number> {
	const { match, conditions } = segment
	if (conditions.length === 0) return countAll(sql, owner)
	if (conditions.every(isOfValues)) return countValues(sql, owner, segment)
	if (match === 'any' && conditions.length > 1) return countJoined(sql, owner, segment)
	const lookup = lookupOf(sql, owner, conditions)
	if (lookup) return (await countLookedUp(sql, owner, lookup)) ?? countJoined(sql, owner, segment)
	const [difference, another] = conditions.filter((one) => one.difference)
	if (!difference?.difference || another) return countJoined(sql, owner, segment)
	const others = conditions.filter((one) => one !== difference)
	const { of, without } = difference.difference()
	const all = await countSegment(sql, owner, { match: 'all', conditions: of ? [of, ...others] : others })
	const having = await countSegment(sql, owner, { match: 'all', conditions: [without, ...others] })
	// A contact may have been added in between.
	return Math.max(0, all - having)
}

async function countAll(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ contacts: number }[]>`
		select contacts from contact_counts where account_id = ${owner} and group_id = 0
	`
	return row?.contacts ?? 0
}

/** Who has no values is counted by all others, where the rules choose them. */
async function countValues(sql: Sql, owner: OwnerId, segment: Segment): Promise<number> {
	const { match, conditions } = segment
	const { where } = segmentParts(sql, owner, segment)
	const isOfNone = match === 'all' ? conditions.every((one) => one.ofNone) : conditions.some((one) => one.ofNone)
	const [row] = await sql<{ rows: number; total: number }[]>`
		select count(*) as rows, coalesce((
			select k.contacts from contact_counts k where k.account_id = ${owner} and k.group_id = 0
		), 0) as total
		from contact_values v
		where v.account_id = ${owner} and ${isOfNone ? sql`(${where}) is not true` : where}
	`
	return isOfNone ? (row?.total ?? 0) - (row?.rows ?? 0) : (row?.rows ?? 0)
}

async function countJoined(sql: Sql, owner: OwnerId, segment: Segment): Promise<number> {
	const { join, where } = segmentParts(sql, owner, segment)
	const [row] = await sql<{ contacts: number }[]>`
		select count(*) as contacts from contacts c ${join}
		where c.account_id = ${owner} and ${where}
	`
	return row?.contacts ?? 0
}

const isOfValues = (one: Condition) => one.of === 'values'

/** Who can be chosen at all, as a list of ids or numbers, and the conditions that are left to ask of them. */
interface Lookup {
	list: Statement
	isListed: (list: Statement) => Statement
	left: Condition[]
}

/** All conditions of values, where these need a row, else one of messages. Null where neither lists anybody. */
function lookupOf(sql: Sql, owner: OwnerId, conditions: Condition[]): Lookup | null {
	const values = conditions.filter(isOfValues)
	if (values.some((one) => !one.ofNone)) {
		const { where } = segmentParts(sql, owner, { match: 'all', conditions: values })
		return {
			list: sql`select v.contact_id from contact_values v where v.account_id = ${owner} and ${where}`,
			isListed: (list) => sql`c.id = any(${list}::bigint[])`,
			left: conditions.filter((one) => !isOfValues(one)),
		}
	}
	const listing = conditions.find((one) => one.numbers !== undefined)
	if (!listing?.numbers) return null
	return {
		list: listing.numbers,
		isListed: (list) => sql`c.number = any(${list}::text[])`,
		left: conditions.filter((one) => one !== listing),
	}
}

/**
 * In one pass through the contacts' index, which is half the work of a hash join. By `offset 0` nothing but the list finds the
 * contacts: as a filter of what another index finds, the whole list would be compared with each. Null where it is too long.
 */
async function countLookedUp(sql: Sql, owner: OwnerId, { list, isListed, left }: Lookup): Promise<number | null> {
	const { join, where } = segmentParts(sql, owner, { match: 'all', conditions: left })
	const [row] = await sql<{ held: number; contacts: number }[]>`
		with held as materialized (select array(${list} limit ${MAX_HELD + 1}::int) as list)
		select (select cardinality(list) from held) as held, (
			select count(*)
			from (
				select * from contacts c where c.account_id = ${owner} and ${isListed(sql`(select list from held)`)} offset 0
			) c ${join}
			where ${where}
		) as contacts
	`
	return row && row.held <= MAX_HELD ? row.contacts : null
}
