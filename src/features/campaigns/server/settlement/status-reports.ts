import { errorCode, isRecord } from '#features/whatsapp/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/notify.ts'
import { readCallbackData } from '../message-id.ts'
import { findByWamid } from './report-queries.ts'
import type { StatusUpdate } from './settle-queries.ts'
import { settle } from './settle.ts'

/** Meta's words for what we call by the same names; `played` (a voice message) is at least read. */
const STATUS: Record<string, StatusUpdate['status']> = {
	sent: 'sent',
	delivered: 'delivered',
	read: 'read',
	played: 'read',
	failed: 'failed',
}

type Report = Omit<StatusUpdate, 'campaignId' | 'seq'> & { wamid: string; recipient: string; callbackData: string }

/** A recipient whom Meta reports as having stopped marketing messages. */
export type OptedOut = string

/**
 * Takes the `statuses` of webhooks, in any order and however often, and settles the campaign messages they are about:
 * found by our own id first, by recipient and wamid otherwise. Reports about anything else are passed over.
 * Returns the numbers that have opted out.
 */
export async function settleReports(
	sql: Sql,
	owner: OwnerId,
	{ statuses, notify }: { statuses: unknown[]; notify: Notify },
): Promise<OptedOut[]> {
	const reports = statuses.map(readReport).filter((report) => report !== null)
	const updates: StatusUpdate[] = []
	const unnamed: Report[] = []
	for (const report of reports) {
		const key = readCallbackData(report.callbackData)
		if (key) updates.push({ ...report, ...key })
		else unnamed.push(report)
	}
	if (unnamed.length > 0) {
		const found = await findByWamid(sql, owner, unnamed)
		const keys = new Map(found.map((row) => [row.wamid, row]))
		for (const report of unnamed) {
			const key = keys.get(report.wamid)
			if (key) updates.push({ ...report, campaignId: key.campaignId, seq: key.seq })
		}
	}
	if (updates.length > 0) await settle(sql, owner, { updates, notify })
	return reports.filter((report) => report.errorCode === 131050).map((report) => report.recipient)
}

function readReport(value: unknown): Report | null {
	if (!isRecord(value) || typeof value.id !== 'string') return null
	const status = STATUS[String(value.status)]
	if (!status) return null
	const fault = Array.isArray(value.errors) ? (value.errors as unknown[]).find(isRecord) : undefined
	const details = isRecord(fault?.error_data) ? fault.error_data.details : undefined
	const seconds = Number(value.timestamp)
	return {
		status,
		wamid: value.id,
		recipient: text(value.recipient_id),
		callbackData: text(value.biz_opaque_callback_data),
		at: seconds > 0 ? new Date(seconds * 1000) : new Date(),
		errorCode: status === 'failed' ? errorCode(fault?.code) : null,
		error: status === 'failed' ? text(details ?? fault?.title ?? fault?.message).slice(0, 500) || 'Failed' : null,
		held: false,
	}
}

function text(value: unknown): string {
	// PostgreSQL's text cannot hold NUL.
	return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}
