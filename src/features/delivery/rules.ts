import * as z from 'zod/mini'

/** A `draft` is a campaign whose recipients a program is still adding. */
export const CampaignStatus = z.enum(['draft', 'pending', 'processing', 'paused', 'completed', 'cancelled', 'failed'])
export type CampaignStatus = z.output<typeof CampaignStatus>

interface CampaignTransition {
	from: readonly CampaignStatus[]
	to: CampaignStatus
}

export type CampaignAction =
	| 'start'
	| 'open'
	| 'append'
	| 'fail'
	| 'pause'
	| 'pauseWithSender'
	| 'stop'
	| 'resume'
	| 'reopen'
	| 'changeNumber'
	| 'cancel'
	| 'complete'

/**
 * All changes of a campaign's status. The server's statements and the buttons of the screen follow this table. A
 * campaign in a restored database needs its account's decision first.
 */
export const CAMPAIGN_TRANSITIONS: Readonly<Record<CampaignAction, CampaignTransition>> = {
	/** The program has added all recipients, and their price is held. */
	start: { from: ['draft'], to: 'pending' },
	/** The opening time has come, and the header file is uploaded. */
	open: { from: ['pending'], to: 'processing' },
	/** A program has added messages to an API campaign. */
	append: { from: ['completed'], to: 'processing' },
	/** The campaign cannot be opened, now or later. */
	fail: { from: ['pending'], to: 'failed' },
	pause: { from: ['pending', 'processing'], to: 'paused' },
	/** Pauses only processing campaigns: a pending one checks the sender when it is opened. */
	pauseWithSender: { from: ['processing'], to: 'paused' },
	/** Ends a campaign of one message with an error that would pause a normal campaign. */
	stop: { from: ['pending', 'processing'], to: 'failed' },
	resume: { from: ['paused'], to: 'processing' },
	/** Resumes a campaign that was never opened, or has to be opened again. */
	reopen: { from: ['paused'], to: 'pending' },
	/** The header file has to be uploaded again, from the sender's new number. */
	changeNumber: { from: ['processing'], to: 'pending' },
	cancel: { from: ['draft', 'pending', 'processing', 'paused'], to: 'cancelled' },
	/** The last message is settled. */
	complete: { from: ['pending', 'processing', 'paused'], to: 'completed' },
}

export function isAllowed(action: CampaignAction, status: CampaignStatus): boolean {
	return CAMPAIGN_TRANSITIONS[action].from.includes(status)
}

/**
 * The status reason of a campaign that its user paused. A paused campaign with any other reason was paused by the
 * product.
 */
export const PAUSED_BY_OWNER = 'You paused this campaign.'

/** The reason why a campaign waits that has reached WhatsApp's limit of people in 24 hours. */
export const LIMIT_REACHED = "WhatsApp's daily limit is reached. Sending continues by itself."

/** The reason why a campaign waits whose template is not ready on WhatsApp's marketing route. */
export const TEMPLATE_PREPARING = 'WhatsApp is still preparing this template. Sending continues by itself.'

/**
 * The kind of a campaign. `test` and `chat` are campaigns of one message. `api` holds the messages that programs send with one
 * template on one day: an error that would pause a normal campaign fails it, and the next message begins another one.
 */
export type CampaignKind = 'campaign' | 'test' | 'chat' | 'api'

/** The source of a campaign's recipients. */
export const AudienceType = z.enum(['all', 'group', 'file', 'segment'])
export type AudienceType = z.output<typeof AudienceType>

export const MessageStatus = z.enum(['pending', 'sent', 'delivered', 'read', 'failed'])
export type MessageStatus = z.output<typeof MessageStatus>

/** Returns the status to show: `pending` for a status that this screen does not know, such as one of a newer server. */
export function shownStatus(status: string): MessageStatus {
	return STATUS_ORDER.find((known) => known === status) ?? 'pending'
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

/** Days for which Meta tries to deliver a message. Meta does not charge a message that was not delivered by then. */
export const DELIVERY_DAYS = 30

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
	overLimit: { code: -9, text: "WhatsApp's daily limit of new conversations is reached. Please try again later." },
	repeated: { code: -10, text: 'This person gets the message at their new number' },
	offerEnded: { code: -11, text: 'The offer had ended before the message was sent' },
	notUploaded: { code: -8, text: 'The file could not be uploaded to WhatsApp. Please try again.' },
} as const

/** Meta's code for a recipient who has stopped marketing messages. */
export const OPTED_OUT_CODE = 131050
/** Meta's code for a throttled marketing message: the recipient has had many lately, from any business. */
export const THROTTLED_CODE = 131049
/**
 * Codes of failures of messages that were never sent. They apply only to pending messages: a status update may have confirmed
 * the message meanwhile.
 */
export const NEVER_SENT_CODES: readonly number[] = [
	OWN_ERRORS.cancelled.code,
	OWN_ERRORS.notRun.code,
	OWN_ERRORS.optedOut.code,
	OWN_ERRORS.unrenderable.code,
	OWN_ERRORS.unreachable.code,
	OWN_ERRORS.notUploaded.code,
	OWN_ERRORS.overLimit.code,
	OWN_ERRORS.repeated.code,
	OWN_ERRORS.offerEnded.code,
]

/** The status of a message, and its failure code. */
export interface MessageState {
	status: MessageStatus
	errorCode: number | null
}

/**
 * Returns true when a status update, or a decision of ours, changes a message. An update that repeats the status or would
 * lower it changes nothing, except that Meta's `sent` or `failed` replaces an unconfirmed failure. The codes
 * `unconfirmed` and NEVER_SENT_CODES apply only to pending messages.
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

/** Messages per row of `campaign_blocks`: block b counts the messages b * BLOCK_SIZE + 1 to (b + 1) * BLOCK_SIZE. */
export const BLOCK_SIZE = 1000

/** Share of the rate granted by Meta that campaigns may use. */
export const CAMPAIGN_SHARE = 0.95

/** The time at which a message was delivered: recorded for the first time, or earlier than recorded before. */
export interface Arrival {
	campaignId: number
	seq: number
	at: Date
}

/** A message of a campaign with the time of its recipient's reply; null for a message without one. */
export interface Reply<Time = Date | null> {
	campaignId: number
	seq: number
	at: Time
}

/**
 * Returns the earliest time that a delivered or read update gives for a message with this status; null before the
 * arrival. Meta's times decide, not the order of the webhooks.
 */
export function arrivalOf(
	{ status }: Pick<MessageState, 'status'>,
	{ known, update }: { known: Date | null; update: { status: MessageStatus; at: Date } },
): Date | null {
	const isArrived = status === 'delivered' || status === 'read'
	const isProof = update.status === 'delivered' || update.status === 'read'
	if (!isArrived || !isProof) return known
	return known === null || update.at < known ? update.at : known
}

/** Returns true for a template of the category that frequency rules and the marketing price apply to. */
export function isMarketing(category: string): boolean {
	return category === 'MARKETING'
}
