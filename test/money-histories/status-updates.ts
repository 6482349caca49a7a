import type { AppContext } from '#app/server/context.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { transaction } from '#lib/server/db.ts'
import type { Model, ModelCampaign, Word } from './model.ts'
import type { Step } from './steps.ts'
import { wamidOf, type Place } from './worker.ts'

type UpdatesStep = Extract<Step, { kind: 'status updates' }>

/** Returns status updates about messages of a campaign as the network sends them, and as the model reads them. */
function readUpdates(campaign: ModelCampaign, updates: UpdatesStep['statusUpdates']) {
	const words: Word[] = []
	const statuses = updates.flatMap((one) => {
		const message = campaign.messages[one.message]
		// The network sends status updates only on messages that it got.
		if (!message?.wasHanded) return []
		const isByWamid = one.isByWamid && message.wamid !== null
		const wamid = wamidOf(campaign, message)
		const code = one.status === 'failed' ? one.code : null
		const { type } = one
		words.push({ message, status: one.status, code, wamid, type })
		const ids = { campaignId: campaign.id, seq: message.seq }
		return {
			id: wamid,
			status: one.status,
			recipient_id: message.number,
			timestamp: String(Math.floor(Date.now() / 1000)),
			...(!isByWamid && { biz_opaque_callback_data: callbackData(ids) }),
			...(type && { pricing: { pricing_model: 'PMP', type, category: 'marketing' } }),
			...(code !== null && { errors: [{ code, title: 'Not delivered' }] }),
		}
	})
	return { words, statuses }
}

/** Settles status updates of a campaign's messages in the product and in the model. */
export async function settleUpdates(
	{ db, notify }: Pick<AppContext, 'db' | 'notify'>,
	{ accountId }: Place,
	{ model, campaign, step }: { model: Model; campaign: ModelCampaign; step: UpdatesStep },
): Promise<void> {
	const { words, statuses } = readUpdates(campaign, step.statusUpdates)
	for (let times = step.isRepeated ? 2 : 1; times > 0; times--)
		await transaction(db, (sql) =>
			settleStatusUpdates(sql, accountId, { statusUpdates: readStatusUpdates(statuses), notify }),
		)
	for (let times = step.isRepeated ? 2 : 1; times > 0; times--) model.settle(campaign, words)
}
