import { OPTED_OUT_CODE } from '#features/delivery/rules.ts'
import { updateReportedThrough } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { readCallbackData, type MessageId } from '../message/message-id.ts'
import type { StatusUpdate } from '../message/status-update.ts'
import { addUsage } from './count-queries.ts'
import type { MessageUpdate } from './message-changes.ts'
import { settle, type OnArrived } from './settle.ts'
import * as queries from './status-update-queries.ts'
import type { UsageChange } from './usage.ts'

/**
 * Settles status updates in any order and repetition. A campaign message is found by our own id, otherwise by recipient and
 * wamid. An update without our id can arrive before the answer that names its message; it is stored and tried again by
 * `retryUnmatched`. Before any lock, `onOptedOut` receives the numbers that have opted out: the number the message was sent to,
 * or the number in the update while the message is unknown. Afterwards `onArrived` receives the arrivals.
 * `usage` is a change of usage by other messages, which is added with that of these.
 */
export async function settleStatusUpdates(
	sql: Sql,
	accountId: AccountId,
	{
		statusUpdates,
		notify,
		usage = [],
		onOptedOut,
		onArrived,
	}: {
		statusUpdates: readonly StatusUpdate[]
		notify: Notify
		usage?: readonly UsageChange[]
		onOptedOut?: (numbers: string[]) => Promise<void>
		onArrived?: OnArrived
	},
): Promise<void> {
	const read = statusUpdates.map((statusUpdate) => ({ statusUpdate, key: readCallbackData(statusUpdate.callbackData) }))
	const unnamed = read.flatMap(({ statusUpdate, key }) => (key ? [] : statusUpdate))
	const { matched, unmatched } = await matchStatusUpdates(sql, accountId, unnamed)
	// In the order of the webhook: of two failures the first one counts.
	const byWamid = new Map(matched.map(({ statusUpdate, update }) => [statusUpdate, update]))
	const updates = read.flatMap(({ statusUpdate, key }) =>
		key ? toUpdate(statusUpdate, key) : (byWamid.get(statusUpdate) ?? []),
	)
	if (unmatched.length > 0) await queries.insertUnmatched(sql, accountId, unmatched)
	const ofMessages = updates.filter(({ errorCode: code }) => code === OPTED_OUT_CODE)
	const ofOthers = unmatched.filter(({ errorCode: code, recipient }) => code === OPTED_OUT_CODE && recipient !== '')
	const numbers = ofMessages.length > 0 ? await queries.listNumbers(sql, accountId, ofMessages) : []
	await onOptedOut?.([...numbers, ...ofOthers.map(({ recipient }) => recipient)])
	if (updates.length === 0) {
		if (usage.length > 0) await addUsage(sql, accountId, usage)
		return
	}
	const { latestSentAt, arrivals } = await settle(sql, accountId, { updates, notify, usage })
	if (latestSentAt) await updateReportedThrough(sql, accountId, latestSentAt)
	if (arrivals.length > 0) await onArrived?.(sql, accountId, arrivals)
}

/** Finds the messages of status updates that do not carry our id. */
export async function matchStatusUpdates(
	sql: Sql,
	accountId: AccountId,
	statusUpdates: readonly StatusUpdate[],
): Promise<{ matched: { statusUpdate: StatusUpdate; update: MessageUpdate }[]; unmatched: StatusUpdate[] }> {
	if (statusUpdates.length === 0) return { matched: [], unmatched: [] }
	const found = await queries.findByWamid(sql, accountId, statusUpdates)
	const keys = new Map(found.map((row) => [row.wamid, row]))
	const matched: { statusUpdate: StatusUpdate; update: MessageUpdate }[] = []
	const unmatched: StatusUpdate[] = []
	for (const statusUpdate of statusUpdates) {
		const key = keys.get(statusUpdate.wamid)
		if (key) matched.push({ statusUpdate, update: toUpdate(statusUpdate, key) })
		else unmatched.push(statusUpdate)
	}
	return { matched, unmatched }
}

function toUpdate(
	{ callbackData: _id, recipient: _recipient, ...change }: StatusUpdate,
	{ campaignId, seq }: MessageId,
): MessageUpdate {
	return { ...change, campaignId, seq, isStatusUpdate: true }
}
