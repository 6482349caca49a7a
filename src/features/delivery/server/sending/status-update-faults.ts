import type { StopReason } from '#features/whatsapp/rules.ts'
import { metaCode, stopReason } from '#features/whatsapp/server/codes/codes.ts'
import { faultsCountFrom } from '#features/whatsapp/server/service.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { stopCampaign } from '../lifecycle/stop.ts'
import { readCallbackData } from '../message/message-id.ts'
import type { StatusUpdate } from '../message/status-update.ts'
import { pauseSender } from './auto-pause.ts'

/** A failure in a status update that concerns more than its message. */
export interface StatusUpdateFault {
	/** Null for the whole sender. */
	campaignId: number | null
	reason: StopReason
	at: Date
}

/** Returns the latest fault of the sender and of each campaign among status updates. */
export function faultsOf(statusUpdates: readonly StatusUpdate[]): StatusUpdateFault[] {
	const faults = new Map<number | null, StatusUpdateFault>()
	for (const statusUpdate of statusUpdates) {
		const { errorCode: code } = statusUpdate
		if (code === null) continue
		const { scope } = metaCode(code)
		if (scope !== 'sender' && scope !== 'campaign') continue
		const campaignId = scope === 'campaign' ? readCallbackData(statusUpdate.callbackData)?.campaignId : null
		if (campaignId === undefined) continue
		const known = faults.get(campaignId)
		if (known && known.at >= statusUpdate.at) continue
		faults.set(campaignId, {
			campaignId,
			reason: stopReason({ code, error: statusUpdate.error ?? '' }),
			at: statusUpdate.at,
		})
	}
	return [...faults.values()]
}

/**
 * Pauses the sender or campaigns as an answer with the same code would: Meta may accept a message and report only later
 * that it is not delivered. Ignores faults older than an hour, and those from before the account last resumed.
 */
export async function pauseForFaults(
	deps: { db: Db; notify: Notify },
	accountId: AccountId,
	faults: readonly StatusUpdateFault[],
): Promise<void> {
	const from = await faultsCountFrom(deps.db, accountId)
	for (const { campaignId, reason, at } of faults) {
		if (!from || at < from) continue
		if (campaignId === null) await pauseSender(deps, accountId, reason)
		else await stopCampaign(deps, accountId, { campaignId, action: 'pause', reason: reason.user, isWithSender: false })
	}
}
