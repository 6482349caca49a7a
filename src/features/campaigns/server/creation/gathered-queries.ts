import { CAMPAIGN_TRANSITIONS } from '#features/campaigns/rules.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A campaign that gathers messages of programs. */
export interface GatheringCampaign {
	id: number
	total: number
	/** Whether more can be added; one that was cancelled, paused or failed has ended. */
	isOpen: boolean
}

/** The one of this key; locked, so that what is added is numbered on. */
export async function lockGathering(sql: Sql, owner: OwnerId, key: string): Promise<GatheringCampaign | undefined> {
	const { open, append, complete } = CAMPAIGN_TRANSITIONS
	const [row] = await sql<GatheringCampaign[]>`
		select id, total_count as total,
			status = any(${[...open.from, open.to, append.to, complete.to]}::text[]) as "isOpen"
		from campaigns where account_id = ${owner} and request_id = ${key}
		for update
	`
	return row
}

/** One that has ended leaves its key to the next. */
export async function releaseKey(sql: Sql, owner: OwnerId, id: number): Promise<void> {
	await sql`update campaigns set request_id = null where account_id = ${owner} and id = ${id}`
}

/** Has one that was completed sent again; opened again where its header's file was uploaded from another number. */
export async function continueSending(sql: Sql, owner: OwnerId, id: number): Promise<void> {
	const { append, reopen } = CAMPAIGN_TRANSITIONS
	await sql`
		update campaigns c
		set finished_at = null,
			status = case
				when c.media_id is null or c.media_phone_number_id
					= (select s.phone_number_id from senders s where s.account_id = ${owner}) then ${append.to}
				else ${reopen.to} end
		where c.account_id = ${owner} and c.id = ${id} and c.status = any(${append.from}::text[])
	`
}
