import { notificationOf } from '#features/notifications/server/kinds.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { recordPaused } from './pause-events.ts'
import * as queries from './transition-queries.ts'

/**
 * Pauses or fails one campaign with a reason and notifies the account, except of a chat template. The sweep releases
 * the money of a failed campaign.
 */
export async function stopCampaign(
	{ db, notify }: { db: Db; notify: Notify },
	accountId: AccountId,
	stop: Parameters<typeof queries.stopCampaign>[2],
): Promise<void> {
	const { campaignId: id, action, reason } = stop
	await transaction(db, async (sql) => {
		const stopped = await queries.stopCampaign(sql, accountId, stop)
		if (!stopped) return
		const { name, kind } = stopped
		const isPaused = action === 'pause' && kind === 'campaign'
		const kindOf = isPaused ? notificationOf.campaignPaused : notificationOf.campaignFailed
		if (kind !== 'chat') await notify(sql, accountId, kindOf({ id, name, reason }))
		if (isPaused) await recordPaused(sql, accountId, { campaigns: [{ id, name }], reason })
		announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	})
}
