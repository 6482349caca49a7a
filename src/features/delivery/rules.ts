import * as z from 'zod/mini'

export const MessageStatus = z.enum(['pending', 'sent', 'delivered', 'read', 'failed'])
export type MessageStatus = z.output<typeof MessageStatus>

/** A status as a screen shows it: pending where the screen does not know it, such as one of a newer server. */
export function shownStatus(status: string): MessageStatus {
	return MessageStatus.options.find((known) => known === status) ?? 'pending'
}

/** How many messages are in each status. */
export type StatusCounts = Record<MessageStatus, number>
/** How many messages took each step. */
export type StepCounts = Omit<StatusCounts, 'pending'>
/** Once it is settled. */
export type KnownStatus = Exclude<MessageStatus, 'pending'>

/**
 * A message's status only rises in this order, whatever order reports come in: `failed` replaces pending and sent,
 * while delivered and read replace a failure that was reported too soon. Taking the highest makes repeated, late and
 * shuffled reports give the same result.
 */
export const STATUS_ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']

/** Our own reasons for a failure, beside Meta's error codes, which are positive. */
export const OWN_ERRORS = {
	/** No report confirmed it within UNKNOWN_AFTER. The only failure that a later `sent` undoes. */
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
export const OPTED_OUT_CODE = 131_050
/** Meta's code for a marketing message that it holds back, as the recipient has had many lately, from any business. */
export const HELD_BACK_CODE = 131_049
/** Failures that say that a message was never sent: they hold for pending messages alone, as a report may have come since. */
export const NEVER_SENT_CODES: readonly number[] = [
	OWN_ERRORS.cancelled.code,
	OWN_ERRORS.notRun.code,
	OWN_ERRORS.optedOut.code,
	OWN_ERRORS.unrenderable.code,
	OWN_ERRORS.unreachable.code,
	OWN_ERRORS.notUploaded.code,
]

/** A message's status, and why it failed if it did. */
export interface MessageState {
	status: MessageStatus
	errorCode: number | null
}

/**
 * Whether a report or a decision of ours changes a message. One that would lower its status, or repeats it, changes nothing:
 * only an unconfirmed failure gives way to any word of the network. That a message is unconfirmed, or was never sent, counts
 * only while it is pending.
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
