import { notificationOf } from '#features/notifications/server/kinds.ts'
import { hasQualityFallen, healthStop, type SenderLimits } from '#features/whatsapp/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { recordPaused } from '../lifecycle/pause-events.ts'
import { pauseProcessing } from '../lifecycle/transition-queries.ts'
import { pauseSenderWithin } from './auto-pause.ts'

const QUALITY_FELL =
	'WhatsApp now rates the quality of your number as low, because people blocked or reported its messages. ' +
	'More of them can lower your daily limit. Check to whom you send and what, then resume if you still want to send.'

const UNBLOCKED = 'WhatsApp lets your number send messages again. Choose "Start sending again" at the top.'

/**
 * Stops the sender when Meta blocks it, and pauses campaigns being sent when the quality of the number has fallen to low.
 * Runs in the transaction that writes the limits and has locked the sender, but no campaign.
 */
export async function guardHealth(
	sql: Sql,
	accountId: AccountId,
	{ before, after, notify }: { before: SenderLimits; after: SenderLimits; notify: Notify },
): Promise<void> {
	const reason = healthStop(after)
	if (reason) await pauseSenderWithin(sql, accountId, { reason, notify })
	else if (healthStop(before)) await notify(sql, accountId, notificationOf.senderWarning({ text: UNBLOCKED }))
	if (!reason && hasQualityFallen(before, after)) await pauseForQuality(sql, accountId, notify)
}

async function pauseForQuality(sql: Sql, accountId: AccountId, notify: Notify): Promise<void> {
	const paused = await pauseProcessing(sql, accountId, QUALITY_FELL)
	await recordPaused(sql, accountId, { campaigns: paused, reason: QUALITY_FELL })
	const [first] = paused
	if (paused.length === 1 && first)
		await notify(sql, accountId, notificationOf.campaignPaused({ ...first, reason: QUALITY_FELL }))
	else if (first)
		await notify(sql, accountId, notificationOf.campaignsPaused({ count: paused.length, reason: QUALITY_FELL }))
	else await notify(sql, accountId, notificationOf.senderWarning({ text: QUALITY_LOW }))
	for (const { id } of paused) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
}

const QUALITY_LOW =
	'WhatsApp now rates the quality of your number as low, because people blocked or reported its messages. ' +
	'More of them can lower your daily limit. Check to whom you send and what before the next campaign.'
