import type { OutgoingEvent } from '#features/events/server/service.ts'
import { presentFailure } from '../message/failure-words.ts'
import { publicId, type MessageId } from '../message/message-id.ts'
import type { MessageReference } from '../message/reference-queries.ts'
import { stepsOf } from './counter-changes.ts'
import type { Transition } from './message-changes.ts'
import { MessageMap } from './message-map.ts'

interface Settled {
	transitions: readonly Transition[]
	/** The messages with the numbers they were sent to. */
	stored: readonly { campaignId: number; seq: number; number: string | null }[]
	/** The references and metadata of messages that have any. */
	references: readonly (MessageId & MessageReference)[]
	/** The campaigns that this batch completed, and the time. */
	ended: readonly { id: number; name: string }[]
	at: Date
}

/** Returns the events of each step of a message, and of campaigns that end with it. */
export function settledEvents({ transitions, stored, references, ended, at: endedAt }: Settled): OutgoingEvent[] {
	const numbers = new MessageMap<string | null>()
	for (const { campaignId, seq, number } of stored) numbers.set(campaignId, seq, number)
	const named = new MessageMap<object>()
	for (const { campaignId, seq, reference, metadata } of references)
		named.set(campaignId, seq, { ...(reference !== null && { reference }), ...(metadata !== null && { metadata }) })
	const steps = transitions.flatMap(({ campaignId, seq, at, was, now, isPassedOn }): OutgoingEvent[] => {
		if (isPassedOn) return []
		const data = {
			id: publicId({ campaignId, seq }),
			to: numbers.get(campaignId, seq),
			campaignId: String(campaignId),
			...named.get(campaignId, seq),
		}
		if (now.status === 'failed')
			return [{ type: 'message.failed', at, data: { ...data, error: presentFailure(now.errorCode ?? 0) } }]
		// The events of the steps before a failure were recorded with these steps.
		const taken = was.status === 'failed' ? stepsOf({ was, now }).slice(-1) : stepsOf({ was, now })
		return taken.map((step) => ({ type: `message.${step}` as const, at, data }))
	})
	const completed = ended.map(({ id, name }) => ({
		type: 'campaign.completed' as const,
		at: endedAt,
		data: { id: String(id), name },
	}))
	return [...steps, ...completed]
}
