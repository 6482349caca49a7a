import { CAMPAIGN_TRANSITIONS, type CampaignKind } from '#features/delivery/rules.ts'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { NOTICE_DAYS } from './month-queries.ts'
import type { Ids } from './month.ts'

export interface Unfinished {
	accountId: AccountId
	campaignId: number
}

/** Returns, for each account, its unfinished campaign with the lowest id of a range. */
export async function listUnfinishedAllAccounts(
	sql: Sql,
	{ ids, only }: { ids: Ids; only: AccountId | null },
): Promise<Unfinished[]> {
	return sql<Unfinished[]>`
		select account_id as "accountId", min(id) as "campaignId" from campaigns
		where finished_at is null and id >= ${ids.firstId} and id < ${ids.endId}
			${only === null ? sql`` : sql`and account_id = ${only}`}
		group by account_id
	`
}

const { from, to } = CAMPAIGN_TRANSITIONS.cancel

const isOpen = (sql: Sql, accountId: AccountId, ids: Ids) => sql`
	account_id = ${accountId} and finished_at is null and id >= ${ids.firstId} and id < ${ids.endId}
	and status = any(${from}::text[])
`

export interface EndingCampaign {
	id: number
	name: string
	kind: CampaignKind
}

/**
 * Marks the end of up to `limit` unfinished campaigns as announced, once each, and returns them. `day` is the day of
 * the end in India, as in 2026-12-01.
 */
export async function announceEnds(
	sql: Sql,
	accountId: AccountId,
	{ ids, limit }: { ids: Ids; limit: number },
): Promise<(EndingCampaign & { day: string })[]> {
	const announced = await sql<(EndingCampaign & { announcedAt: Date })[]>`
		update campaigns set end_announced_at = now()
		where account_id = ${accountId} and id in (
			select id from campaigns where ${isOpen(sql, accountId, ids)} and end_announced_at is null order by id limit ${limit} for update
		)
		returning id, name, kind, end_announced_at as "announcedAt"
	`
	return announced.map(({ announcedAt, ...campaign }) => ({
		...campaign,
		day: indianDay(announcedAt.getTime() + NOTICE_DAYS * DAY_MS),
	}))
}

/** Cancels up to `limit` unfinished campaigns whose end was announced NOTICE_DAYS ago or earlier. Returns them. */
export async function cancelAnnounced(
	sql: Sql,
	accountId: AccountId,
	{ ids, reason, limit }: { ids: Ids; reason: string; limit: number },
): Promise<EndingCampaign[]> {
	return sql<EndingCampaign[]>`
		update campaigns
		set status = ${to}, status_reason = ${reason}, paused_with_sender = null, restored_at = null, updated_at = now()
		where account_id = ${accountId} and id in (
			select id from campaigns
			where ${isOpen(sql, accountId, ids)} and end_announced_at <= now() - ${NOTICE_DAYS}::int * interval '1 day'
			order by id limit ${limit} for update
		)
		returning id, name, kind
	`
}
