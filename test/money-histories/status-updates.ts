import { callbackData } from '#features/delivery/server/message/message-id.ts'
import type { ModelCampaign, Word } from './model.ts'
import type { Step } from './steps.ts'
import { wamidOf } from './worker.ts'

type Updates = Extract<Step, { kind: 'status updates' }>['statusUpdates']

/** Returns status updates about messages of a campaign as the network sends them, and as the model reads them. */
export function readUpdates(campaign: ModelCampaign, updates: Updates) {
	const words: Word[] = []
	const statuses = updates.flatMap((one) => {
		const message = campaign.messages[one.message]
		// The network sends status updates only on messages that it got.
		if (!message?.wasHanded) return []
		const isByWamid = one.isByWamid && message.wamid !== null
		const wamid = wamidOf(campaign, message)
		const code = one.status === 'failed' ? one.code : null
		words.push({ message, status: one.status, code, wamid })
		const ids = { campaignId: campaign.id, seq: message.seq }
		return {
			id: wamid,
			status: one.status,
			recipient_id: message.number,
			timestamp: String(Math.floor(Date.now() / 1000)),
			...(!isByWamid && { biz_opaque_callback_data: callbackData(ids) }),
			...(code !== null && { errors: [{ code, title: 'Not delivered' }] }),
		}
	})
	return { words, statuses }
}
