import type { MessageStatus } from '#features/campaigns/contract.ts'
import { advances, type MessageState } from '#features/campaigns/rules.ts'
import { MessageMap } from './message-map.ts'

/** The new status of one message, and the reason. */
export interface StatusUpdate {
	campaignId: number
	seq: number
	/** Which attempt it is about; left out, the one that is under way. A report on an earlier one changes nothing. */
	attempt?: number | undefined
	status: Exclude<MessageStatus, 'pending'>
	at: Date
	wamid: string | null
	errorCode: number | null
	error: string | null
	held: boolean
	/** Whether a webhook says so, which whoever knows the app secret can write. */
	isReport?: boolean
}

export interface StoredMessage extends MessageState {
	campaignId: number
	seq: number
	sentAt: Date | null
	/** How often WhatsApp has held it back so far. */
	heldBackCount: number
}

/** One step of one message from one status to another. */
export interface Transition {
	campaignId: number
	seq: number
	/** How often it had been held back before. With the step, it identifies the ledger entry that the step posts. */
	attempt: number
	at: Date
	was: MessageState
	now: MessageState
	error: string | null
	isReport: boolean
}

/** A message after all its steps. */
export interface ChangedMessage extends StoredMessage {
	statusAt: Date
	/** Null where the one that is stored stays. */
	wamid: string | null
	error: string | null
	held: boolean
	/** In how many hours it is tried again, when WhatsApp has just held it back. */
	retryInHours: number | null
}

export interface Changes {
	/** In the order of the updates, so that a batch moves money exactly as its updates would one by one. */
	transitions: Transition[]
	messages: ChangedMessage[]
	/** The latest time of sending among the messages that the updates are about. */
	latestSentAt: Date | null
}

/** Whether an update says that WhatsApp holds a message back. */
export function isHoldingBack({ status, errorCode }: Pick<StatusUpdate, 'status' | 'errorCode'>): boolean {
	return status === 'failed' && errorCode === HELD_BACK
}

/**
 * Applies updates in their order to messages as they are stored; those that change nothing are passed over. `retrying` are the
 * campaigns that try again what WhatsApp holds back.
 */
export function applyUpdates(
	stored: readonly StoredMessage[],
	updates: readonly StatusUpdate[],
	retrying: ReadonlySet<number>,
): Changes {
	const current = new MessageMap<StoredMessage | ChangedMessage>()
	for (const message of stored) current.set(message.campaignId, message.seq, message)
	// One that had failed is not held back by the updates that confirm it: the wallet may lack the money to charge it, and what
	// was not charged can neither be refunded nor held.
	const isTriedAgain = ({ campaignId, seq }: StoredMessage) => retrying.has(campaignId) && !failed.get(campaignId, seq)
	const failed = new MessageMap<boolean>()
	for (const { campaignId, seq, status } of stored) if (status === 'failed') failed.set(campaignId, seq, true)
	const transitions: Transition[] = []
	for (const update of updates) {
		const message = current.get(update.campaignId, update.seq)
		if (!message || (update.attempt ?? message.heldBackCount) !== message.heldBackCount) continue
		if (!advances(message, update)) continue
		const next =
			isTriedAgain(message) && isRetriedLater(message, update) ? holdBack(message, update.at) : advance(message, update)
		transitions.push({
			campaignId: update.campaignId,
			seq: update.seq,
			attempt: message.heldBackCount,
			at: update.at,
			was: message,
			now: next,
			error: update.error,
			isReport: update.isReport ?? false,
		})
		current.set(update.campaignId, update.seq, next)
	}
	const all = current.values()
	const latest = all.reduce((found, { sentAt }) => Math.max(found, sentAt?.getTime() ?? 0), 0)
	return { transitions, messages: all.filter(isChanged), latestSentAt: latest > 0 ? new Date(latest) : null }
}

function isChanged(message: StoredMessage | ChangedMessage): message is ChangedMessage {
	return 'statusAt' in message
}

function advance(message: StoredMessage | ChangedMessage, update: StatusUpdate): ChangedMessage {
	const isFailed = update.status === 'failed'
	const wamid = isChanged(message) ? message.wamid : null
	// Whatever confirmed it has named it.
	const isNamed = message.status !== 'pending' && message.status !== 'failed'
	return {
		...message,
		retryInHours: null,
		status: update.status,
		statusAt: update.at,
		sentAt: isFailed ? message.sentAt : (message.sentAt ?? update.at),
		wamid: isNamed ? wamid : (update.wamid ?? wamid),
		held: update.held && update.status === 'sent',
		errorCode: isFailed ? update.errorCode : null,
		error: isFailed ? update.error : null,
	}
}

/** Meta's code for a marketing message that it holds back, as the recipient has had many lately, from any business. */
const HELD_BACK = 131_049
/** When such a message is tried again, in hours after each time that it was held back. */
const RETRY_HOURS = [24, 48, 96]

function isRetriedLater({ heldBackCount }: StoredMessage, update: StatusUpdate): boolean {
	return heldBackCount < RETRY_HOURS.length && isHoldingBack(update)
}

/** The message as pending again: not charged, its price on hold, and waiting for its next attempt. */
function holdBack(message: StoredMessage, at: Date): ChangedMessage {
	return {
		...message,
		status: 'pending',
		statusAt: at,
		sentAt: null,
		wamid: null,
		held: false,
		errorCode: null,
		error: null,
		heldBackCount: message.heldBackCount + 1,
		retryInHours: RETRY_HOURS[message.heldBackCount] ?? null,
	}
}
