import { presentFailure } from '#features/messages/server/failure-words.ts'
import { publicId } from '#features/messages/server/message-id.ts'
import type { OutgoingEvent } from '#lib/server/outgoing-events.ts'
import type { Transition } from './message-changes.ts'
import { MessageMap } from './message-map.ts'

interface Settled {
	transitions: readonly Transition[]
	/** With the numbers that the messages went to. */
	stored: readonly { campaignId: number; seq: number; number: string | null }[]
	/** Campaigns that this completed, and when. */
	ended: readonly { id: number; name: string }[]
	at: Date
}

/** What programs are told of each step of a message, and of campaigns that end with it. */
export function settledEvents({ transitions, stored, ended, at: endedAt }: Settled): OutgoingEvent[] {
	const numbers = new MessageMap<string | null>()
	for (const { campaignId, seq, number } of stored) numbers.set(campaignId, seq, number)
	const steps = transitions.flatMap(({ campaignId, seq, at, now: { status, errorCode } }) => {
		// No step leads there.
		if (status === 'pending') return []
		const data = { id: publicId({ campaignId, seq }), to: numbers.get(campaignId, seq), campaignId: String(campaignId) }
		const failure = errorCode !== null && { error: presentFailure(errorCode) }
		return [{ type: `message.${status}` as const, at, data: { ...data, ...failure } }]
	})
	const completed = ended.map(({ id, name }) => ({
		type: 'campaign.completed' as const,
		at: endedAt,
		data: { id: String(id), name },
	}))
	return [...steps, ...completed]
}
