import type { KnownStatus, MessageState } from '#features/delivery/rules.ts'
import { countedCategory } from '#features/whatsapp/rules.ts'
import { errorCode as readErrorCode, isRecord, readSeconds } from '#features/whatsapp/server/graph-client.ts'
import { DAY_MS } from '#lib/durations.ts'
import type { RestoreGenerations } from './message-id.ts'
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

const YEAR_MS = 366 * DAY_MS

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

/** Meta's pricing of one message, from a status update. Meta adds categories and types: unknown ones are stored as they are. */
export interface ReportedPricing {
	/** Category of `countedCategory` in lower case: marketing, utility, authentication, service, referral_conversion, … */
	category: string
	/** Type in lower case: regular, free_customer_service, free_entry_point, paid_exempt, not_billable, … */
	type: string
}

/** Type of a message that Meta does not charge, for a reason that the update does not give. */
const NOT_BILLABLE = 'not_billable'
/** Subtype of messages that Meta exempts from its charge, such as those of governments. */
const EXEMPT = 'paid_exempt'
const MAX_LENGTH = 40

/** Reads the `pricing` of a status update. Returns null unless it has a category, and a type or `billable`. */
export function readPricing(value: unknown): ReportedPricing | null {
	if (!isRecord(value)) return null
	const category = countedCategory(wordOf(value.category))
	const type = pricingType(value)
	if (!category || !type) return null
	return { category, type }
}

/**
 * Returns the type of a pricing; empty without one. `billable: false` overrides every type that is not known to be free, so that
 * campaigns, replies and margins count the message as free alike.
 */
function pricingType({ type, subtype, billable }: Record<string, unknown>): string {
	if (wordOf(subtype) === EXEMPT) return EXEMPT
	const word = wordOf(type)
	if (billable === false && isChargedType(word) !== false) return NOT_BILLABLE
	// Updates before July 2025 have `billable` and no type.
	return word || (billable === true ? 'regular' : '')
}

/**
 * Returns true when Meta charges messages of a type; null for a type that is unknown. Any type that begins with `free` is free,
 * so that new free types of Meta count as free.
 */
export function isChargedType(type: string): boolean | null {
	if (type === 'regular') return true
	return type.startsWith('free') || type === NOT_BILLABLE || type === EXEMPT ? false : null
}

/** Returns an enum's value in lower case, with `_` for all but letters, digits and `-`; empty for a value that is no text. */
export function wordOf(value: unknown): string {
	if (typeof value !== 'string') return ''
	return value
		.slice(0, MAX_LENGTH)
		.toLowerCase()
		.replace(/[^a-z0-9_-]/g, '_')
}
