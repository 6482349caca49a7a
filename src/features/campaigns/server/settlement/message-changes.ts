import type { MessageStatus } from '#features/campaigns/contract.ts'
import { advances, type MessageState } from '#features/campaigns/rules.ts'

/** What became of one message, and why. */
export interface StatusUpdate {
	campaignId: number
	seq: number
	status: Exclude<MessageStatus, 'pending'>
	at: Date
	wamid: string | null
	errorCode: number | null
	error: string | null
	held: boolean
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
}

/** A message as it stands after all its steps. */
export interface ChangedMessage extends StoredMessage {
	statusAt: Date
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
	const current = new Map(stored.map((message) => [keyOf(message), message]))
	const changed = new Map<string, ChangedMessage>()
	const transitions: Transition[] = []
	for (const update of updates) {
		const key = keyOf(update)
		const message = current.get(key)
		if (!message || !advances(message, update)) continue
		const next = advance(message, { update, wamid: changed.get(key)?.wamid ?? null })
		transitions.push({
			campaignId: update.campaignId,
			seq: update.seq,
			at: update.at,
			was: message,
			now: next,
			error: update.error,
		})
		current.set(key, next)
		changed.set(key, next)
	}
	const sentTimes = [...current.values()].map(({ sentAt }) => sentAt?.getTime() ?? 0)
	const latest = sentTimes.reduce((a, b) => Math.max(a, b), 0)
	return { transitions, messages: [...changed.values()], latestSentAt: latest > 0 ? new Date(latest) : null }
}

function advance(
	message: StoredMessage,
	{ update, wamid }: { update: StatusUpdate; wamid: string | null },
): ChangedMessage {
	const isFailed = update.status === 'failed'
	return {
		campaignId: message.campaignId,
		seq: message.seq,
		status: update.status,
		statusAt: update.at,
		sentAt: isFailed ? message.sentAt : (message.sentAt ?? update.at),
		wamid: update.wamid ?? wamid,
		held: update.held && update.status === 'sent',
		errorCode: isFailed ? update.errorCode : null,
		error: isFailed ? update.error : null,
	}
}

function keyOf({ campaignId, seq }: { campaignId: number; seq: number }): string {
	return `${campaignId}:${seq}`
}
