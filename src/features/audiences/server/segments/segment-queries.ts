import type { SegmentRules } from '#features/audiences/segment-contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface SavedSegment extends SegmentRules {
	id: number
	name: string
	createdAt: Date
}

type NewSegment = Pick<SavedSegment, 'name' | 'match' | 'rules'>

/** Lists the segments by name. */
export async function listSegments(sql: Sql, accountId: AccountId): Promise<SavedSegment[]> {
	return sql<SavedSegment[]>`
		select id, name, match, rules, created_at as "createdAt" from segments
		where account_id = ${accountId} order by lower(name) collate "C", id
	`
}

export async function findSegment(sql: Sql, accountId: AccountId, id: string): Promise<SavedSegment | undefined> {
	const [row] = await sql<SavedSegment[]>`
		select id, name, match, rules, created_at as "createdAt" from segments where account_id = ${accountId} and id = ${id}
	`
	return row
}

export async function insertSegment(
	sql: Sql,
	accountId: AccountId,
	{ name, match, rules }: NewSegment,
): Promise<SavedSegment | undefined> {
	const [row] = await sql<SavedSegment[]>`
		insert into segments (account_id, name, match, rules)
		values (${accountId}, ${name}, ${match}, ${JSON.stringify(rules)}::jsonb)
		returning id, name, match, rules, created_at as "createdAt"
	`
	return row
}

export async function updateSegment(
	sql: Sql,
	accountId: AccountId,
	{ id, name, match, rules }: NewSegment & { id: string },
): Promise<SavedSegment | undefined> {
	const [row] = await sql<SavedSegment[]>`
		update segments set name = ${name}, match = ${match}, rules = ${JSON.stringify(rules)}::jsonb
		where account_id = ${accountId} and id = ${id}
		returning id, name, match, rules, created_at as "createdAt"
	`
	return row
}

/** Deletes a segment. Returns its name; undefined when it does not exist. */
export async function deleteSegment(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ name: string }[]>`
		delete from segments where account_id = ${accountId} and id = ${id} returning name
	`
	return row?.name
}

/** Object that a rule refers to. */
export interface Referred {
	kind: 'group' | 'tag' | 'campaign'
	id: string
	/** True for a campaign in which a number may have several messages: an API campaign, or a retry. */
	isRepeating: boolean
	/** True for a campaign whose recipients were removed after the retention, so that rules cannot be evaluated. */
	isRemoved: boolean
}

/** Locks groups and tags against deletion until the transaction ends. */
export async function lockReferred(
	sql: Sql,
	accountId: AccountId,
	{ groups, tags }: { groups: string[]; tags: string[] },
): Promise<void> {
	if (groups.length > 0)
		await sql`select 1 from contact_groups where account_id = ${accountId} and id = any(${groups}::bigint[]) order by id for share`
	if (tags.length > 0)
		await sql`select 1 from contact_tags where account_id = ${accountId} and id = any(${tags}::bigint[]) order by id for share`
}

/** Returns the groups, tags and campaigns with these ids that the account has. */
export async function listReferred(
	sql: Sql,
	accountId: AccountId,
	{ groups, campaigns, tags }: { groups: string[]; campaigns: string[]; tags: string[] },
): Promise<Referred[]> {
	return sql<Referred[]>`
		select 'group' as kind, id::text, false as "isRepeating", false as "isRemoved" from contact_groups
		where account_id = ${accountId} and id = any(${groups}::bigint[]) and deleted_at is null
		union all select 'tag', id::text, false, false from contact_tags where account_id = ${accountId} and id = any(${tags}::bigint[])
		union all select 'campaign', id::text, kind = 'api' or retry_of is not null, messages_removed_at is not null from campaigns
		where account_id = ${accountId} and id = any(${campaigns}::bigint[])
	`
}
