import type { RecipientOrder } from '#features/delivery/contract.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** The choices and the progress of a campaign. */
export interface PacingFacts {
	recipientOrder: RecipientOrder
	dailyStart: string | null
	limitedUntil: Date | null
	/** The start of a campaign that has not opened; null for one that has. */
	opensAt: Date | null
	startedAt: Date | null
	/** Number of pending messages; 0 once the campaign has ended. */
	pending: number
}

/** Returns the facts that pace a campaign; undefined for one that the account does not have. */
export async function findPacingFacts(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<PacingFacts | undefined> {
	const [row] = await sql<PacingFacts[]>`
		select coalesce(recipient_order, 'list') as "recipientOrder", to_char(daily_start, 'HH24:MI') as "dailyStart",
			case when status = 'processing' then limit_waits_until end as "limitedUntil",
			case when status = 'pending' then opens_at end as "opensAt",
			started_at as "startedAt",
			case when status in ('pending', 'processing', 'paused') then pending_count else 0 end as pending
		from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row
}

const MAX_DAYS_SHOWN = 60

/** Counts the sent messages of a campaign on each of its last days in India, the earliest first. */
export async function listSentByDay(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<{ day: string; sent: number }[]> {
	const rows = await sql<{ day: string; sent: number }[]>`
		select to_char(minute at time zone ${INDIAN_TIME_ZONE}, 'YYYY-MM-DD') as day, sum(sent)::int as sent
		from campaign_minutes
		where account_id = ${accountId} and campaign_id = ${campaignId} and sent > 0
		group by 1 order by 1 desc limit ${MAX_DAYS_SHOWN}
	`
	return rows.toReversed()
}
