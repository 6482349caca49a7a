import { addClicks, addMinutes } from '#features/delivery/server/settlement/count-queries.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import * as queries from './click-queries.ts'
import type { Click } from './click-queries.ts'

/**
 * Writes an account's clicks and adds them to the campaigns' counters. Idempotent. Ignores clicks of campaigns whose messages are no
 * longer retained.
 */
export async function recordClicks(db: Db, accountId: AccountId, clicks: readonly Click[]): Promise<void> {
	await transaction(db, async (sql) => {
		const ids = [...new Set(clicks.map(({ campaignId }) => campaignId))]
		const retained = new Set(await queries.lockCampaigns(sql, accountId, ids))
		const written = await queries.insertClicks(
			sql,
			accountId,
			clicks.filter(({ campaignId }) => retained.has(campaignId)),
		)
		if (written.length === 0) return
		const byCampaign = [...Map.groupBy(written, ({ campaignId }) => campaignId)]
		const counts = byCampaign.map(([campaignId, clicksOfOne]) => ({
			campaignId,
			clicked: clicksOfOne.filter(({ isFirst }) => isFirst).length,
			clicks: clicksOfOne.length,
		}))
		const minutes = byCampaign.flatMap(([campaignId, clicksOfOne]) =>
			[...Map.groupBy(clicksOfOne, ({ atMs }) => Math.floor(atMs / MINUTE_MS))].map(([minute, { length }]) => ({
				campaignId,
				minute: new Date(minute * MINUTE_MS),
				clicks: length,
			})),
		)
		await addClicks(sql, accountId, counts)
		await addMinutes(sql, accountId, minutes)
		for (const { campaignId } of counts)
			announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId), isProgress: true })
	})
}
