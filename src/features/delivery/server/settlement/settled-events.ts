import type { OutgoingEvent } from '#lib/server/jobs/outgoing-events.ts'
import { presentFailure } from '../message/failure-words.ts'
import { publicId } from '../message/message-id.ts'
import { stepsOf } from './counter-changes.ts'
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
	const steps = transitions.flatMap(({ campaignId, seq, at, was, now }): OutgoingEvent[] => {
		const data = { id: publicId({ campaignId, seq }), to: numbers.get(campaignId, seq), campaignId: String(campaignId) }
		if (now.status === 'failed')
			return [{ type: 'message.failed', at, data: { ...data, error: presentFailure(now.errorCode ?? 0) } }]
		// What came before a failure was told then.
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
