import { OPTED_OUT_CODE } from '#features/campaigns/rules.ts'
import {
	adviceFor,
	readReport,
	scopeOf,
	updateReportedThrough,
	type Report,
} from '#features/campaigns/server/service.ts'
import { errorWords } from '#features/chats/rules.ts'
import { isRecord } from '#features/whatsapp/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { readChatCallbackData } from '../message-id.ts'
import { findSentByWamid, listChatsOf, lockMessages } from './settle-queries.ts'
import { settleChats, type ChatUpdate } from './settle.ts'

/** Reports on messages of chats, which are locked: campaigns' messages and the wallet may be locked next. */
interface LockedReports<T> {
	/** The reports that are not about chats. */
	others: T[]
	/** Whether settling may post to the wallet. */
	movesMoney: boolean
	/** Settles them. */
	settle(): Promise<void>
}

/**
 * Takes the `statuses` of webhooks that are about messages of chats, known by our own id, or by the wamid where that is
 * missing. `optedOut` are the chats of those who, WhatsApp says, want no marketing.
 */
export async function lockChatReports(
	sql: Sql,
	owner: OwnerId,
	statuses: readonly unknown[],
): Promise<LockedReports<unknown> & { optedOut: string[] }> {
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
	const refused = updates.flatMap(({ id, errorCode }) => (errorCode === OPTED_OUT_CODE ? [id] : []))
	const optedOut = refused.length > 0 ? await listChatsOf(sql, owner, refused) : []
	return { ...(await lockUpdated(sql, owner, updates)), others, optedOut }
}

/** Takes reports that came before the answer which names their message. */
export async function lockLateChatReports<R extends Report>(
	sql: Sql,
	owner: OwnerId,
	reports: R[],
): Promise<LockedReports<R>> {
	if (reports.length === 0) return { ...(await lockUpdated(sql, owner, [])), others: [] }
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
	const others = reports.filter(({ wamid }) => !ids.has(wamid))
	return { ...(await lockUpdated(sql, owner, updates)), others }
}

async function lockUpdated(
	sql: Sql,
	owner: OwnerId,
	updates: ChatUpdate[],
): Promise<Pick<LockedReports<never>, 'movesMoney' | 'settle'>> {
	if (updates.length === 0) return { movesMoney: false, settle: async () => {} }
	const ids = updates.map(({ id }) => id)
	const stored = await lockMessages(sql, owner, ids)
	return {
		movesMoney: stored.some(({ pricePaise }) => pricePaise > 0),
		async settle() {
			const { latestSentAt } = await settleChats(sql, owner, updates)
			if (latestSentAt) await updateReportedThrough(sql, owner, latestSentAt)
		},
	}
}

function toUpdate(id: number, report: Report): ChatUpdate {
	const { status, at, wamid, errorCode, error } = report
	return {
		id,
		status,
		at,
		isReport: true,
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
