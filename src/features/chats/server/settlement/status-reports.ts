import { OPTED_OUT_CODE } from '#features/messages/rules.ts'
import { callbackData } from '#features/messages/server/message-id.ts'
import { updateReportedThrough } from '#features/messages/server/sender-queries.ts'
import { readReport, type Report } from '#features/messages/server/status-report.ts'
import { isRecord } from '#features/whatsapp/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { failureText } from '../failure.ts'
import { readChatCallbackData } from '../message-id.ts'
import { findSentByWamid, listCampaignsOf, listChatsOf } from './settle-queries.ts'
import { settleChats, type ChatUpdate } from './settle.ts'

/**
 * Settles the `statuses` of webhooks that are about messages of chats, known by our own id, or by the wamid where that is
 * missing. Returns the `others`, and as `optedOut` the chats of those who, WhatsApp says, want no marketing.
 */
export async function settleChatReports(
	sql: Sql,
	owner: OwnerId,
	statuses: readonly unknown[],
): Promise<{ others: unknown[]; optedOut: string[] }> {
	const idOf = await matchUnnamed(sql, owner, statuses)
	const own: { id: number; status: unknown }[] = []
	const others: unknown[] = []
	for (const status of statuses) {
		const id = idOf(status)
		if (id === null) others.push(status)
		else own.push({ id, status })
	}
	others.push(...(await takeTemplates(sql, owner, own)))
	const updates = own.flatMap(({ id, status }) => {
		const report = readReport(status)
		return report ? [toUpdate(id, report)] : []
	})
	await settleUpdates(sql, owner, updates)
	const refused = updates.flatMap(({ id, errorCode }) => (errorCode === OPTED_OUT_CODE ? [id] : []))
	return { others, optedOut: refused.length > 0 ? await listChatsOf(sql, owner, refused) : [] }
}

/**
 * The reports on templates that were sent before they were messages of campaigns, with the id that they have now. For 30 days
 * WhatsApp may report on what it accepted under the old one.
 */
async function takeTemplates(
	sql: Sql,
	owner: OwnerId,
	own: { id: number; status: unknown }[],
): Promise<Record<string, unknown>[]> {
	const found = await listCampaignsOf(
		sql,
		owner,
		own.map(({ id }) => id),
	)
	const campaigns = new Map(found.map(({ id, campaignId }) => [id, campaignId]))
	return own.flatMap(({ id, status }) => {
		const campaignId = campaigns.get(id)
		if (campaignId === undefined || !isRecord(status)) return []
		return [{ ...status, biz_opaque_callback_data: callbackData({ campaignId, seq: 1 }) }]
	})
}

/** Settles reports that came before the answer which names their message. Returns the others. */
export async function settleLateChatReports<R extends Report>(sql: Sql, owner: OwnerId, reports: R[]): Promise<R[]> {
	if (reports.length === 0) return []
	const found = await findSentByWamid(
		sql,
		owner,
		reports.map(({ wamid }) => wamid),
	)
	const ids = new Map(found.map(({ wamid, id }) => [wamid, id]))
	const updates = reports.flatMap((report) => {
		const id = ids.get(report.wamid)
		return id === undefined ? [] : [toUpdate(id, report)]
	})
	await settleUpdates(sql, owner, updates)
	return reports.filter(({ wamid }) => !ids.has(wamid))
}

async function settleUpdates(sql: Sql, owner: OwnerId, updates: ChatUpdate[]): Promise<void> {
	if (updates.length === 0) return
	const { latestSentAt } = await settleChats(sql, owner, updates)
	if (latestSentAt) await updateReportedThrough(sql, owner, latestSentAt)
}

function toUpdate(id: number, { status, at, wamid, errorCode, error }: Report): ChatUpdate {
	const words = errorCode === null ? error : failureText(errorCode, error)
	return { id, status, at, wamid: wamid || null, errorCode, error: words }
}

async function matchUnnamed(sql: Sql, owner: OwnerId, statuses: readonly unknown[]) {
	const unnamed = statuses.flatMap((status) =>
		isRecord(status) && !status.biz_opaque_callback_data && typeof status.id === 'string'
			? [status.id.replaceAll('\0', '')]
			: [],
	)
	const found = unnamed.length > 0 ? await findSentByWamid(sql, owner, unnamed) : []
	const ids = new Map(found.map(({ wamid, id }) => [wamid, id]))
	return (status: unknown): number | null => {
		if (!isRecord(status)) return null
		const named = readChatCallbackData(status.biz_opaque_callback_data)
		return named ?? (status.biz_opaque_callback_data ? null : (ids.get(String(status.id)) ?? null))
	}
}
