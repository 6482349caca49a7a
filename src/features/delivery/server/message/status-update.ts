import type { KnownStatus } from '#features/delivery/rules.ts'
import { errorCode, isRecord, readSeconds } from '#features/whatsapp/server/graph-client.ts'
import { readPricing, type ReportedPricing } from './reported-pricing.ts'
import { UNMARKED, type RestoreGenerations } from './restore-generations.ts'
import type { StatusChange } from './status-change.ts'

/** A status update of Meta's about one message. */
export interface StatusUpdate extends StatusChange {
	wamid: string
	recipient: string
	/** Our id of the message; empty if the update has none, or one that a restore lost. */
	callbackData: string
	/** Null for an update without pricing; absent from one that was stored before pricing was read. */
	pricing?: ReportedPricing | null
}

/** Meta's statuses. `played` (a voice message) counts as read. */
const STATUS: Record<string, KnownStatus> = {
	sent: 'sent',
	delivered: 'delivered',
	read: 'read',
	played: 'read',
	failed: 'failed',
}

/** Reads the `statuses` of webhooks. Leaves out entries without a wamid or with an unknown status. */
export function readStatusUpdates(
	statuses: readonly unknown[],
	restoreGenerations: RestoreGenerations = UNMARKED,
	now: Date = new Date(),
): StatusUpdate[] {
	return statuses.flatMap((status) => readStatusUpdate(status, { restoreGenerations, now }) ?? [])
}

function readStatusUpdate(
	value: unknown,
	{ restoreGenerations, now }: { restoreGenerations: RestoreGenerations; now: Date },
): StatusUpdate | null {
	if (!isRecord(value) || typeof value.id !== 'string') return null
	const word = String(value.status)
	const status = Object.hasOwn(STATUS, word) ? STATUS[word] : undefined
	if (!status) return null
	const failure = Array.isArray(value.errors) ? (value.errors as unknown[]).find(isRecord) : undefined
	const details = isRecord(failure?.error_data) ? failure.error_data.details : undefined
	return {
		status,
		wamid: text(value.id),
		recipient: text(value.recipient_id).replace(/^\+/, ''),
		callbackData: restoreGenerations.unmark(text(value.biz_opaque_callback_data)),
		at: timeOf(value.timestamp, now.getTime()),
		pricing: readPricing(value.pricing),
		errorCode: status === 'failed' ? errorCode(failure?.code) : null,
		error:
			status === 'failed'
				? text(details ?? failure?.title ?? failure?.message)
						.slice(0, 500)
						.toWellFormed() || 'Failed'
				: null,
	}
}

const YEAR_MS = 366 * 86_400_000

/**
 * Returns the time of a status update. A missing time, a future one and one older than a year become the present: a time years
 * ahead would keep the message from expiring and hide missing updates, one years back would expire it at once.
 */
function timeOf(timestamp: unknown, now: number): Date {
	const ms = readSeconds(timestamp)?.getTime() ?? now
	return new Date(ms > now || ms < now - YEAR_MS ? now : ms)
}

function text(value: unknown): string {
	if (Number.isSafeInteger(value)) return String(value)
	// PostgreSQL stores neither NUL nor half a surrogate pair.
	return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : ''
}
