import type { StatusCounts, StepCounts } from '#features/messages/rules.ts'
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

export interface DayChange extends StepCounts {
	spentPaise: number
	/** Given back because of reports, or because none came, without an admin's look. */
	refundedCount?: number
	refundedPaise?: number
}

/** How many messages of a block came to each status, less those that left it. */
export interface BlockChange extends StatusCounts {
	campaignId: number
	block: number
}

/** How many messages of a campaign passed each step in one minute. */
export interface MinuteChange extends StepCounts {
	campaignId: number
	minute: Date
}

/**
 * Moves the counts of blocks, and adds to what happened in each minute and to today's totals (Indian time) of the account; in
 * one statement, as every settled batch runs it. Call it with the campaigns locked.
 */
export async function addToTotals(
	sql: Sql,
	owner: OwnerId,
	{ blocks, minutes, day }: { blocks: readonly BlockChange[]; minutes: readonly MinuteChange[]; day: DayChange },
): Promise<void> {
	await sql`
		with moved as (
			update campaign_blocks b
			set pending = b.pending + n.pending, sent = b.sent + n.sent, delivered = b.delivered + n.delivered,
				read = b.read + n.read, failed = b.failed + n.failed
			from unnest(
				${blocks.map((c) => c.campaignId)}::bigint[], ${blocks.map((c) => c.block)}::integer[],
				${blocks.map((c) => c.pending)}::integer[], ${blocks.map((c) => c.sent)}::integer[],
				${blocks.map((c) => c.delivered)}::integer[], ${blocks.map((c) => c.read)}::integer[],
				${blocks.map((c) => c.failed)}::integer[]
			) as n (campaign_id, block, pending, sent, delivered, read, failed)
			where b.account_id = ${owner} and b.campaign_id = n.campaign_id and b.block = n.block
		), timed as (
			insert into campaign_minutes as m (account_id, campaign_id, minute, sent, delivered, read, failed)
			select ${owner}::bigint, n.*
			from unnest(
				${minutes.map((c) => c.campaignId)}::bigint[],
				${minutes.map((c) => c.minute.toISOString())}::text[]::timestamptz[],
				${minutes.map((c) => c.sent)}::integer[], ${minutes.map((c) => c.delivered)}::integer[],
				${minutes.map((c) => c.read)}::integer[], ${minutes.map((c) => c.failed)}::integer[]
			) as n (campaign_id, minute, sent, delivered, read, failed)
			on conflict (account_id, campaign_id, minute) do update
			set sent = m.sent + excluded.sent, delivered = m.delivered + excluded.delivered,
				read = m.read + excluded.read, failed = m.failed + excluded.failed
		)
		insert into daily_totals as d (
			account_id, day, sent, delivered, read, failed, spent_paise, refunded_count, refunded_paise
		)
		select ${owner}::bigint, ${INDIAN_TODAY},
			${day.sent}::int, ${day.delivered}::int, ${day.read}::int, ${day.failed}::int, ${day.spentPaise}::bigint,
			${day.refundedCount ?? 0}::int, ${day.refundedPaise ?? 0}::bigint
		on conflict (account_id, day) do update
		set sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered, read = d.read + excluded.read,
			failed = d.failed + excluded.failed, spent_paise = d.spent_paise + excluded.spent_paise,
			refunded_count = d.refunded_count + excluded.refunded_count,
			refunded_paise = d.refunded_paise + excluded.refunded_paise
	`
}
