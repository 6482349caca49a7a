import * as z from 'zod/mini'

/** The source of a campaign's recipients. */
export const AudienceType = z.enum(['all', 'group', 'file', 'segment'])
export type AudienceType = z.output<typeof AudienceType>

export const MessageStatus = z.enum(['pending', 'sent', 'delivered', 'read', 'failed'])
export type MessageStatus = z.output<typeof MessageStatus>

/** Returns the status to show: `pending` for a status that this screen does not know, such as one of a newer server. */
export function shownStatus(status: string): MessageStatus {
	return MessageStatus.options.find((known) => known === status) ?? 'pending'
}

/** Number of messages in each status. */
export type StatusCounts = Record<MessageStatus, number>
/** Number of messages that reached each step. */
export type StepCounts = Omit<StatusCounts, 'pending'>
/** The status of a settled message. */
export type KnownStatus = Exclude<MessageStatus, 'pending'>

/**
 * The order in which a message's status rises, whatever the order of the status updates. `failed` replaces pending and sent;
 * delivered and read replace a failure that was reported too early. Repeated, late and reordered updates therefore give the
 * same result.
 */
export const STATUS_ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']

/** Failure reasons of our own. Their codes are negative; Meta's error codes are positive. */
export const OWN_ERRORS = {
	/** No status update confirmed the message within UNKNOWN_AFTER. The only failure that a later `sent` replaces. */
	unconfirmed: { code: -1, text: 'Delivery could not be confirmed' },
	cancelled: { code: -2, text: 'Cancelled before it was sent' },
	expired: { code: -3, text: 'Not delivered within 30 days' },
	notRun: { code: -4, text: 'The campaign could not run' },
	optedOut: { code: -5, text: 'Opted out before it was sent' },
	unrenderable: { code: -6, text: 'The message could not be made from its template and values' },
	unreachable: { code: -7, text: 'WhatsApp could not be reached. Try again in a minute.' },
	notUploaded: { code: -8, text: 'The file could not be uploaded to WhatsApp. Please try again.' },
} as const

/** Meta's code for a recipient who has stopped marketing messages. */
export const OPTED_OUT_CODE = 131050
/** Meta's code for a throttled marketing message: the recipient has had many lately, from any business. */
export const THROTTLED_CODE = 131049
/**
 * Codes of failures of messages that were never sent. They apply to pending messages alone: a status update may have confirmed
 * the message meanwhile.
 */
export const NEVER_SENT_CODES: readonly number[] = [
	OWN_ERRORS.cancelled.code,
	OWN_ERRORS.notRun.code,
	OWN_ERRORS.optedOut.code,
	OWN_ERRORS.unrenderable.code,
	OWN_ERRORS.unreachable.code,
	OWN_ERRORS.notUploaded.code,
]

/** The status of a message, and its failure code. */
export interface MessageState {
	status: MessageStatus
	errorCode: number | null
}

/**
 * Returns whether a status update, or a decision of ours, changes a message. An update that repeats the status or would
 * lower it changes nothing, except that Meta's `sent` or `failed` replaces an unconfirmed failure. The codes
 * `unconfirmed` and NEVER_SENT_CODES apply to pending messages alone.
 */
export function advances(from: MessageState, to: MessageState): boolean {
	const { code: unconfirmed } = OWN_ERRORS.unconfirmed
	if (from.status === 'pending') return to.status !== 'pending'
	const toCode = to.status === 'failed' ? (to.errorCode ?? 0) : 0
	if (toCode === unconfirmed || NEVER_SENT_CODES.includes(toCode)) return false
	if (STATUS_ORDER.indexOf(to.status) > STATUS_ORDER.indexOf(from.status)) return true
	const isUnconfirmed = from.status === 'failed' && from.errorCode === unconfirmed
	return isUnconfirmed && (to.status === 'sent' || to.status === 'failed') && toCode >= 0
}
