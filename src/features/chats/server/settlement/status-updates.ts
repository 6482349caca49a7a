import { OPTED_OUT_CODE } from '#features/delivery/rules.ts'
import { singleMessageWords } from '#features/delivery/server/message/failure-words.ts'
import { callbackData, readChatCallbackData } from '#features/delivery/server/message/message-id.ts'
import type { StatusUpdate } from '#features/delivery/server/message/status-update.ts'
import type { UsageChange } from '#features/delivery/server/settlement/usage.ts'
import { updateReportedThrough } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findSentByWamid, listCampaignsOf, listChatsOf } from './settle-queries.ts'
import { settleChats, type ChatUpdate } from './settle.ts'

interface ChatStatusUpdate {
	id: number
	statusUpdate: StatusUpdate
}

/**
 * Settles the status updates of chat messages, found by our id, or by the wamid when an update has no id. Returns the updates
 * of other messages (`others`), the chats of customers who want no marketing according to WhatsApp (`optedOut`), and the
 * change of usage, which the caller adds. `isMoneyDue` is true when the money of replies has to move: the caller does so in
 * another transaction, or else housekeeping within seconds.
 */
export async function settleChatStatusUpdates(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly StatusUpdate[],
): Promise<{ others: StatusUpdate[]; optedOut: string[]; usage: UsageChange[]; isMoneyDue: boolean }> {
	const unnamed = statusUpdates.flatMap(({ callbackData: id, wamid }) => (id ? [] : [wamid]))
	const found = unnamed.length > 0 ? await findSentByWamid(sql, accountId, unnamed) : []
	const byWamid = new Map(found.map(({ wamid, id }) => [wamid, id]))
	const own: ChatStatusUpdate[] = []
	const others: StatusUpdate[] = []
	for (const statusUpdate of statusUpdates) {
		const id = statusUpdate.callbackData
			? readChatCallbackData(statusUpdate.callbackData)
			: byWamid.get(statusUpdate.wamid)
		if (id) own.push({ id, statusUpdate })
		else others.push(statusUpdate)
	}
	if (own.length === 0) return { others, optedOut: [], usage: [], isMoneyDue: false }
	others.push(...(await takeTemplates(sql, accountId, own)))
	const updates = own.map(toUpdate)
	const { latestSentAt, usage, isMoneyDue } = await settleChats(sql, accountId, updates)
	if (latestSentAt) await updateReportedThrough(sql, accountId, latestSentAt)
	const refused = updates.flatMap(({ id, errorCode }) => (errorCode === OPTED_OUT_CODE ? [id] : []))
	const optedOut = refused.length > 0 ? await listChatsOf(sql, accountId, refused) : []
	return { others, optedOut, usage, isMoneyDue }
}

/**
 * Returns the updates of templates that were chat messages in an earlier release and are campaign messages now, with their
 * new id. WhatsApp may send updates under the old id for 30 days.
 */
async function takeTemplates(sql: Sql, accountId: AccountId, own: ChatStatusUpdate[]): Promise<StatusUpdate[]> {
	const found = await listCampaignsOf(
		sql,
		accountId,
		own.map(({ id }) => id),
	)
	const campaigns = new Map(found.map(({ id, campaignId }) => [id, campaignId]))
	return own.flatMap(({ id, statusUpdate }) => {
		const campaignId = campaigns.get(id)
		return campaignId === undefined ? [] : [{ ...statusUpdate, callbackData: callbackData({ campaignId, seq: 1 }) }]
	})
}

function toUpdate({
	id,
	statusUpdate: { status, at, wamid, errorCode, error, pricing },
}: ChatStatusUpdate): ChatUpdate {
	const words = errorCode === null ? error : singleMessageWords(errorCode, error)
	return { id, status, at, wamid: wamid || null, errorCode, error: words, pricing }
}
