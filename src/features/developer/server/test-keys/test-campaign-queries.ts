import type { Campaign } from '#features/campaigns/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

type Times = 'opensAt' | 'startedAt' | 'finishedAt' | 'createdAt' | 'messagesRemovedAt'

/** Facts that campaigns of the previous release do not have. */
type AddedLater = 'heldPaise' | 'unpriced' | 'passedOn'

/** A campaign of a test key. `facts` are the facts that its rehearsal returned, without times. */
export interface StoredCampaign {
	id: number
	/** Stored as `pending` also for running and completed campaigns. */
	state: 'draft' | 'pending' | 'paused' | 'cancelled'
	facts: Omit<Campaign, Times | AddedLater> & Partial<Pick<Campaign, AddedLater>>
	opensAt: Date
	beginsAt: Date
	createdAt: Date
}

/** Number of a campaign's messages that fail with this code; null for messages that arrive. */
export interface OutcomeCount {
	code: number | null
	count: number
}

export interface CountedCampaign extends StoredCampaign {
	outcomes: OutcomeCount[]
}

/** Stores a campaign without messages. Returns false and stores nothing when the id is taken. */
export async function insertTestCampaign(
	sql: Sql,
	accountId: AccountId,
	{ id, state, facts, opensAt, beginsAt }: Omit<StoredCampaign, 'createdAt'>,
): Promise<boolean> {
	const { count } = await sql`
		insert into test_campaigns (account_id, id, state, facts, opens_at, begins_at, created_at)
		values (${accountId}, ${id}, ${state}, ${JSON.stringify(facts)}, ${opensAt}, ${beginsAt}, now())
		on conflict do nothing
	`
	return count > 0
}

const select = (sql: Sql, accountId: AccountId) => sql`
	select c.id, c.state, c.facts, c.opens_at as "opensAt", c.begins_at as "beginsAt", c.created_at as "createdAt",
		(
			select coalesce(json_agg(json_build_object('code', o.code, 'count', o.count)), '[]')
			from (
				select m.error_code as code, count(*) as count from test_messages m
				where m.account_id = ${accountId} and m.order_id = c.id
				group by m.error_code
			) o
		) as outcomes
	from test_campaigns c
	where c.account_id = ${accountId}
`

export async function findTestCampaign(
	sql: Sql,
	accountId: AccountId,
	id: string,
): Promise<CountedCampaign | undefined> {
	const [row] = await sql<CountedCampaign[]>`${select(sql, accountId)} and c.id = ${id}`
	return row
}

/** Returns campaigns that were created before this one, latest first. */
export async function listTestCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ before, limit }: { before: string | undefined; limit: number },
): Promise<CountedCampaign[]> {
	return sql<CountedCampaign[]>`
		${select(sql, accountId)} ${before === undefined ? sql`` : sql`and c.id < ${before}`}
		order by c.id desc
		limit ${limit}
	`
}

/** Locks a campaign until the transaction ends. */
export async function lockTestCampaign(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	await sql`select 1 from test_campaigns where account_id = ${accountId} and id = ${id} for update`
}

/** Stores a campaign's new state, facts and start. */
export async function updateTestCampaign(
	sql: Sql,
	accountId: AccountId,
	{ id, state, facts, beginsAt }: Pick<StoredCampaign, 'id' | 'state' | 'facts' | 'beginsAt'>,
): Promise<void> {
	await sql`
		update test_campaigns set state = ${state}, facts = ${JSON.stringify(facts)}, begins_at = ${beginsAt}
		where account_id = ${accountId} and id = ${id}
	`
}

/**
 * Returns up to `limit` running campaigns whose messages are all sent or failed, and marks their completion as
 * announced.
 */
export async function takeCompleted(
	sql: Sql,
	accountId: AccountId,
	{ completedMs, limit }: { completedMs: number; limit: number },
): Promise<Pick<StoredCampaign, 'id' | 'facts' | 'beginsAt'>[]> {
	return sql<Pick<StoredCampaign, 'id' | 'facts' | 'beginsAt'>[]>`
		update test_campaigns c set is_told = true
		where c.account_id = ${accountId} and c.id in (
			select d.id from test_campaigns d
			where d.account_id = ${accountId} and ${isCompletedAllAccounts(sql, completedMs)}
			order by d.id
			limit ${limit}
			for update skip locked
		)
		returning c.id, c.facts, c.begins_at as "beginsAt"
	`
}

/** Returns the SQL condition that campaign `d`, of any account, is completed and its completion is not announced. */
export const isCompletedAllAccounts = (sql: Sql, completedMs: number) => sql`
	d.state = 'pending' and not d.is_told and d.begins_at <= now() - make_interval(secs => ${completedMs}::float8 / 1000)
`

export async function deleteOldTestCampaigns(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from test_campaigns where account_id = ${accountId} and id in (
			select id from test_campaigns
			where account_id = ${accountId} and created_at < now() - ${age}::interval
			order by id
			limit ${limit}
			for update
		)
	`
	return count
}
