import { closeGaps } from '#features/delivery/server/new-message-queries.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { HeldOut } from '../control-group.ts'

/**
 * Keeps this many of a campaign's new messages out, chosen by chance: by a hash of the number and the campaign. They are
 * deleted, and the last of the others take their places, so that the rest is numbered from 1 without gaps.
 */
export async function holdOut(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, written, count }: { campaignId: number; written: number; count: number },
): Promise<void> {
	await sql`
		insert into campaign_held_out (account_id, campaign_id, number)
		select ${owner}::bigint, ${campaignId}::bigint, m.number from campaign_messages m
		where m.account_id = ${owner} and m.campaign_id = ${campaignId}
		order by hashtextextended(m.number, ${campaignId}::bigint), m.number
		limit ${count}
	`
	await sql`
		delete from campaign_messages m using campaign_held_out h
		where m.account_id = ${owner} and m.campaign_id = ${campaignId}
			and h.account_id = ${owner} and h.campaign_id = ${campaignId} and h.number = m.number
	`
	await closeGaps(sql, owner, { campaignId, count: written - count })
	const heldOut: HeldOut = {
		people: count,
		wrote: 0,
		clicked: 0,
		recipientsWrote: 0,
		recipientsClicked: 0,
		countedAt: null,
	}
	await sql`
		update campaigns set held_out = ${JSON.stringify(heldOut)}, hold_out_due_at = opens_at
		where account_id = ${owner} and id = ${campaignId}
	`
}

/** A campaign of which it is to be counted who wrote and clicked. */
export interface DueHoldOut {
	owner: OwnerId
	campaignId: number
	heldOut: HeldOut
	startedAt: Date | null
	/** It will not start any more. */
	isEnded: boolean
	/** By the database's clock. */
	now: Date
}

export async function listDueHoldOutsAllOwners(
	sql: Sql,
	{ limit, only }: { limit: number; only: OwnerId | null },
): Promise<DueHoldOut[]> {
	return sql<DueHoldOut[]>`
		select account_id as owner, id as "campaignId", held_out as "heldOut", started_at as "startedAt",
			finished_at is not null as "isEnded", now() as now
		from campaigns
		where hold_out_due_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
		order by hold_out_due_at
		limit ${limit}
	`
}

/** Notes what was counted, and when it is to be counted again. */
export async function saveHeldOut(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, heldOut, dueAt }: { campaignId: number; heldOut: HeldOut; dueAt: Date | null },
): Promise<void> {
	await sql`
		update campaigns set held_out = ${JSON.stringify(heldOut)}, hold_out_due_at = ${dueAt}
		where account_id = ${owner} and id = ${campaignId}
	`
}
