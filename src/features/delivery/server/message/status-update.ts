import type { KnownStatus, MessageState } from '#features/delivery/rules.ts'
import { errorCode as readErrorCode, isRecord, readSeconds } from '#features/whatsapp/server/graph-client.ts'
import type { RestoreGenerations } from './message-id.ts'
import { readPricing, type ReportedPricing } from './reported-pricing.ts'
import { UNMARKED } from './restore-generations.ts'

/** The new status of a message, and the reason. */
export interface StatusChange {
	status: KnownStatus
	at: Date
	/** Null if the change names no wamid. */
	wamid: string | null
	errorCode: number | null
	error: string | null
}

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
	const fault = Array.isArray(value.errors) ? (value.errors as unknown[]).find(isRecord) : undefined
	const details = isRecord(fault?.error_data) ? fault.error_data.details : undefined
	return {
		status,
		wamid: text(value.id),
		recipient: text(value.recipient_id).replace(/^\+/, ''),
		callbackData: restoreGenerations.unmark(text(value.biz_opaque_callback_data)),
		at: timeOf(value.timestamp, now.getTime()),
		pricing: readPricing(value.pricing),
		errorCode: status === 'failed' ? readErrorCode(fault?.code) : null,
		error:
			status === 'failed'
				? text(details ?? fault?.title ?? fault?.message)
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

/** Returns the change of a message to failed. `at` is the database's time. */
export function failure(code: number, error: string, at: Date): StatusChange {
	return { status: 'failed', at, wamid: null, errorCode: code, error }
}

export interface ChangedState extends MessageState {
	statusAt: Date
	sentAt: Date | null
	error: string | null
}

/** Returns the state of a message after a change that `advances` accepts. */
export function changedState(
	was: { sentAt: Date | null },
	{ status, at, errorCode, error }: StatusChange,
): ChangedState {
	const isFailed = status === 'failed'
	return {
		status,
		statusAt: at,
		sentAt: isFailed ? was.sentAt : (was.sentAt ?? at),
		errorCode: isFailed ? errorCode : null,
		error: isFailed ? error : null,
	}
}

/** Returns the latest send time of these messages; null when none was sent. */
export function latestSentAt(messages: readonly { sentAt: Date | null }[]): Date | null {
	const latest = messages.reduce((found, { sentAt }) => Math.max(found, sentAt?.getTime() ?? 0), 0)
	return latest > 0 ? new Date(latest) : null
}
