import { CAMPAIGN_TRANSITIONS } from '#features/delivery/campaign-status.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

const { open, append, complete, reopen } = CAMPAIGN_TRANSITIONS
/** The statuses in which an API campaign takes more messages. A cancelled, paused or failed one has ended. */
const OPEN_STATUSES = [...open.from, open.to, complete.to]

/**
 * Adds new messages to the counts of the campaign with this key, and locks it until the transaction ends. A completed
 * campaign is sent again, or opened again when its header file was uploaded from another number. Returns undefined when
 * no campaign with this key takes more messages.
 */
export async function addToApiCampaign(
	sql: Sql,
	accountId: AccountId,
	{ key, count }: { key: string; count: number },
): Promise<{ campaignId: number; before: number } | undefined> {
	const [row] = await sql<{ campaignId: number; before: number }[]>`
		update campaigns c
		set total_count = c.total_count + ${count}::int, pending_count = c.pending_count + ${count}::int, updated_at = now(),
			finished_at = null,
			status = case
				when c.status <> all(${append.from}::text[]) then c.status
				when c.media_id is null or c.media_phone_number_id
					= (select s.phone_number_id from senders s where s.account_id = ${accountId}) then ${append.to}
				else ${reopen.to} end
		where c.account_id = ${accountId} and c.request_id = ${key} and c.status = any(${OPEN_STATUSES}::text[])
		returning c.id as "campaignId", c.total_count - ${count}::int as before
	`
	return row
}

/** Takes the key from a campaign that has ended, for the next one. */
export async function releaseKey(sql: Sql, accountId: AccountId, key: string): Promise<void> {
	await sql`
		update campaigns set request_id = null
		where account_id = ${accountId} and request_id = ${key} and status <> all(${OPEN_STATUSES}::text[])
	`
}
