import type { OwnerId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/indian-today.ts'

export interface FailureChange {
	campaignId: number
	errorCode: number
	error: string
	count: number
}

/** Adds to (or, with a negative count, takes from) how many messages failed for a reason. One change a reason. */
export async function countFailures(sql: Sql, owner: OwnerId, changes: readonly FailureChange[]): Promise<void> {
	await sql`
		insert into campaign_failures as f (account_id, campaign_id, error_code, error, message_count)
		select ${owner}::bigint, n.campaign_id, n.error_code, n.error, n.message_count
		from unnest(
			${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.errorCode)}::integer[],
			${changes.map((c) => c.error)}::text[], ${changes.map((c) => c.count)}::integer[]
		) as n (campaign_id, error_code, error, message_count)
		on conflict (account_id, campaign_id, error_code) do update
		set message_count = f.message_count + excluded.message_count,
			error = case when excluded.message_count > 0 then excluded.error else f.error end
	`
}

export interface DayChange {
	sent: number
	delivered: number
	read: number
	failed: number
	spentPaise: number
}

/** Adds to today's totals (Indian time) of an account. */
export async function addToDailyTotals(sql: Sql, owner: OwnerId, change: DayChange): Promise<void> {
	await sql`
		insert into daily_totals as d (account_id, day, sent, delivered, read, failed, spent_paise)
		values (
			${owner}, ${INDIAN_TODAY},
			${change.sent}, ${change.delivered}, ${change.read}, ${change.failed}, ${change.spentPaise}
		)
		on conflict (account_id, day) do update
		set sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered, read = d.read + excluded.read,
			failed = d.failed + excluded.failed, spent_paise = d.spent_paise + excluded.spent_paise
	`
}

/** How many messages of a block came to each status, less those that left it. */
export interface BlockChange {
	campaignId: number
	block: number
	pending: number
	sent: number
	delivered: number
	read: number
	failed: number
}

/** Moves the counts of blocks. Call it with their campaigns locked. */
export async function countBlocks(sql: Sql, owner: OwnerId, changes: readonly BlockChange[]): Promise<void> {
	await sql`
		update campaign_blocks b
		set pending = b.pending + n.pending, sent = b.sent + n.sent, delivered = b.delivered + n.delivered,
			read = b.read + n.read, failed = b.failed + n.failed
		from unnest(
			${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.block)}::integer[],
			${changes.map((c) => c.pending)}::integer[], ${changes.map((c) => c.sent)}::integer[],
			${changes.map((c) => c.delivered)}::integer[], ${changes.map((c) => c.read)}::integer[],
			${changes.map((c) => c.failed)}::integer[]
		) as n (campaign_id, block, pending, sent, delivered, read, failed)
		where b.account_id = ${owner} and b.campaign_id = n.campaign_id and b.block = n.block
	`
}

/** How many messages of a campaign passed each step in one minute. */
export interface MinuteChange {
	campaignId: number
	minute: Date
	sent: number
	delivered: number
	read: number
	failed: number
}

/** Adds to what happened in each minute. Call it with the campaigns locked. */
export async function addToMinutes(sql: Sql, owner: OwnerId, changes: readonly MinuteChange[]): Promise<void> {
	await sql`
		insert into campaign_minutes as m (account_id, campaign_id, minute, sent, delivered, read, failed)
		select ${owner}::bigint, n.*
		from unnest(
			${changes.map((c) => c.campaignId)}::bigint[],
			${changes.map((c) => c.minute.toISOString())}::text[]::timestamptz[],
			${changes.map((c) => c.sent)}::integer[], ${changes.map((c) => c.delivered)}::integer[],
			${changes.map((c) => c.read)}::integer[], ${changes.map((c) => c.failed)}::integer[]
		) as n (campaign_id, minute, sent, delivered, read, failed)
		on conflict (account_id, campaign_id, minute) do update
		set sent = m.sent + excluded.sent, delivered = m.delivered + excluded.delivered,
			read = m.read + excluded.read, failed = m.failed + excluded.failed
	`
}
