import { OPTED_OUT_CODE } from '#features/campaigns/rules.ts'
import { adviceFor, readReport, scopeOf, type Report } from '#features/campaigns/server/service.ts'
import { errorWords } from '#features/chats/rules.ts'
import { isRecord } from '#features/whatsapp/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { readChatCallbackData } from '../message-id.ts'
import { findSentByWamid, listChatsOf } from './settle-queries.ts'
import { settleChats, type ChatUpdate } from './settle.ts'

/**
 * Takes the `statuses` of webhooks that are about messages of chats, known by our own id, or by the wamid where that is
 * missing, and returns the others. `optedOut` are the chats of those who, WhatsApp says, want no marketing.
 */
export async function settleChatReports(
	sql: Sql,
	owner: OwnerId,
	statuses: readonly unknown[],
): Promise<{ others: unknown[]; optedOut: string[] }> {
	const idOf = await matchUnnamed(sql, owner, statuses)
	const updates: ChatUpdate[] = []
	const others: unknown[] = []
	for (const status of statuses) {
		const id = idOf(status)
		const report = id === null ? null : readReport(status)
		if (id === null) others.push(status)
		if (id === null || !report) continue
		updates.push(toUpdate(id, report))
	}
	if (updates.length > 0) await settleChats(sql, owner, updates)
	const optedOut = updates.flatMap(({ id, errorCode }) => (errorCode === OPTED_OUT_CODE ? [id] : []))
	return { others, optedOut: optedOut.length > 0 ? await listChatsOf(sql, owner, optedOut) : [] }
}

/** Settles reports that came before the answer which names their message. Returns those that are still of no chat message. */
export async function settleLateChatReports<R extends Report>(sql: Sql, owner: OwnerId, reports: R[]): Promise<R[]> {
	if (reports.length === 0) return reports
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
	if (updates.length > 0) await settleChats(sql, owner, updates)
	return reports.filter(({ wamid }) => !ids.has(wamid))
}

function toUpdate(id: number, report: Report): ChatUpdate {
	const { status, at, wamid, errorCode, error } = report
	return {
		id,
		status,
		at,
		wamid: wamid || null,
		errorCode,
		error: errorCode === null ? error : wordsOf(errorCode, error),
	}
}

function wordsOf(code: number, error: string | null): string {
	return scopeOf(code) === 'sender' ? adviceFor({ code, error: error ?? '' }) : errorWords(code, error)
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
