import { type KnownStatus, advances, type MessageState } from '#features/messages/rules.ts'
import { MessageMap } from './message-map.ts'

/** The new status of one message, and the reason. */
export interface StatusUpdate {
	campaignId: number
	seq: number
	status: KnownStatus
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
}

/** One step of one message from one status to another. */
export interface Transition {
	campaignId: number
	seq: number
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
}

export interface Changes {
	/** In the order of the updates, so that a batch moves money exactly as its updates would one by one. */
	transitions: Transition[]
	messages: ChangedMessage[]
	/** The latest time of sending among the messages that the updates are about. */
	latestSentAt: Date | null
}

/** Applies updates in their order to messages as they are stored; those that change nothing are passed over. */
export function applyUpdates(stored: readonly StoredMessage[], updates: readonly StatusUpdate[]): Changes {
	const current = new MessageMap<StoredMessage | ChangedMessage>()
	for (const message of stored) current.set(message.campaignId, message.seq, message)
	const transitions: Transition[] = []
	for (const update of updates) {
		const message = current.get(update.campaignId, update.seq)
		if (!message || !advances(message, update)) continue
		const next = advance(message, update)
		transitions.push({
			campaignId: update.campaignId,
			seq: update.seq,
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
		status: update.status,
		statusAt: update.at,
		sentAt: isFailed ? message.sentAt : (message.sentAt ?? update.at),
		wamid: isNamed ? wamid : (update.wamid ?? wamid),
		held: update.held && update.status === 'sent',
		errorCode: isFailed ? update.errorCode : null,
		error: isFailed ? update.error : null,
	}
}
