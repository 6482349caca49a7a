import { recordEvents } from '#features/events/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Records the events of campaigns that the caller's transaction pauses. */
export async function recordPaused(
	sql: Sql,
	accountId: AccountId,
	{ campaigns, reason }: { campaigns: readonly { id: number | string; name: string }[]; reason: string },
): Promise<void> {
	const at = new Date()
	await recordEvents(
		sql,
		accountId,
		campaigns.map(({ id, name }) => ({ type: 'campaign.paused', at, data: { id: String(id), name, reason } })),
	)
}
