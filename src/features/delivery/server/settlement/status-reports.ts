import { OPTED_OUT_CODE } from '#features/delivery/rules.ts'
import { updateReportedThrough } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { readCallbackData, type MessageId } from '../message/message-id.ts'
import type { Report } from '../message/status-report.ts'
import type { StatusUpdate } from './message-changes.ts'
import * as queries from './report-queries.ts'
import { settle, type OnArrived } from './settle.ts'

/**
 * Settles status updates in any order and repetition. A campaign message is found by our own id, otherwise by recipient and
 * wamid. An update without our id can arrive before the answer that names its message; it is stored and tried again by
 * `retryUnmatched`. Before any lock, `onOptedOut` receives the numbers that have opted out: the number the message was sent to,
 * or the number in the update while the message is unknown. Afterwards `onArrived` receives the arrivals.
 */
export async function settleReports(
	sql: Sql,
	accountId: AccountId,
	{
		reports,
		notify,
		onOptedOut,
		onArrived,
	}: {
		reports: readonly Report[]
		notify: Notify
		onOptedOut?: (numbers: string[]) => Promise<void>
		onArrived?: OnArrived
	},
): Promise<void> {
	const read = reports.map((report) => ({ report, key: readCallbackData(report.callbackData) }))
	const unnamed = read.flatMap(({ report, key }) => (key ? [] : report))
	const { matched, unmatched } = await matchReports(sql, accountId, unnamed)
	// In the order of the webhook: of two failures the first one counts.
	const byWamid = new Map(matched.map(({ report, update }) => [report, update]))
	const updates = read.flatMap(({ report, key }) => (key ? toUpdate(report, key) : (byWamid.get(report) ?? [])))
	if (unmatched.length > 0) await queries.insertUnmatched(sql, accountId, unmatched)
	const ofMessages = updates.filter(({ errorCode: code }) => code === OPTED_OUT_CODE)
	const ofOthers = unmatched.filter(({ errorCode: code, recipient }) => code === OPTED_OUT_CODE && recipient !== '')
	const numbers = ofMessages.length > 0 ? await queries.listNumbers(sql, accountId, ofMessages) : []
	await onOptedOut?.([...numbers, ...ofOthers.map(({ recipient }) => recipient)])
	if (updates.length === 0) return
	const { latestSentAt, arrivals } = await settle(sql, accountId, { updates, notify })
	if (latestSentAt) await updateReportedThrough(sql, accountId, latestSentAt)
	if (arrivals.length > 0) await onArrived?.(sql, accountId, arrivals)
}

/** Finds the messages of status updates that do not carry our id. */
export async function matchReports(
	sql: Sql,
	accountId: AccountId,
	reports: readonly Report[],
): Promise<{ matched: { report: Report; update: StatusUpdate }[]; unmatched: Report[] }> {
	if (reports.length === 0) return { matched: [], unmatched: [] }
	const found = await queries.findByWamid(sql, accountId, reports)
	const keys = new Map(found.map((row) => [row.wamid, row]))
	const matched: { report: Report; update: StatusUpdate }[] = []
	const unmatched: Report[] = []
	for (const report of reports) {
		const key = keys.get(report.wamid)
		if (key) matched.push({ report, update: toUpdate(report, key) })
		else unmatched.push(report)
	}
	return { matched, unmatched }
}

function toUpdate(
	{ callbackData: _id, recipient: _recipient, ...change }: Report,
	{ campaignId, seq }: MessageId,
): StatusUpdate {
	return { ...change, campaignId, seq, isReport: true }
}
