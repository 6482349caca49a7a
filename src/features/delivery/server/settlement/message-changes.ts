import { advances, type MessageState } from '#features/delivery/rules.ts'
import { changedState, latestSentAt, type ChangedState, type StatusChange } from '../message/status-change.ts'
import { MessageMap } from './message-map.ts'

/** The new status of one message, and the reason. */
export interface StatusUpdate extends StatusChange {
	campaignId: number
	seq: number
	held?: boolean
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
export interface ChangedMessage extends StoredMessage, ChangedState {
	/** Null where the one that is stored stays. */
	wamid: string | null
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
	return { transitions, messages: all.filter(isChanged), latestSentAt: latestSentAt(all) }
}

function isChanged(message: StoredMessage | ChangedMessage): message is ChangedMessage {
	return 'statusAt' in message
}

function advance(message: StoredMessage | ChangedMessage, update: StatusUpdate): ChangedMessage {
	const wamid = isChanged(message) ? message.wamid : null
	// Whatever confirmed it has named it.
	const isNamed = message.status !== 'pending' && message.status !== 'failed'
	return {
		...message,
		...changedState(message, update),
		wamid: isNamed ? wamid : (update.wamid ?? wamid),
		held: update.status === 'sent' && (update.held ?? false),
	}
}
