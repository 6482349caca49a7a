import * as z from 'zod/mini'
import { OptOutReason } from '#features/contacts/contract.ts'
import type { EventType } from '#features/events/rules.ts'
import { Time } from '#lib/fields.ts'
import { Amount, Described } from './v1-fields.ts'

/** Fields of every message event. The ids are those of /v1/messages/{id} and /v1/campaigns/{id}. */
const Message = {
	id: z.string(),
	to: z.string(),
	campaignId: z.string(),
	/** Present when the message was sent with them. */
	reference: z.optional(z.string()),
	metadata: z.optional(z.record(z.string(), z.string())),
	/** Present for a message of a test key, which was not sent. */
	test: z.optional(z.literal(true)),
}
const Campaign = {
	id: z.string(),
	name: z.string(),
	/** Present for a campaign of a test key, which was not sent. */
	test: z.optional(z.literal(true)),
}
const Failure = z.object({ code: z.int(), title: z.string(), detail: z.string() })

/** Shape of `data` of each event. Fields are added and never removed. */
export const EVENT_DATA = {
	'message.sent': z.object(Message),
	'message.delivered': z.object(Message),
	'message.read': z.object(Message),
	'message.failed': z.object({ ...Message, error: z.optional(Failure) }),
	'message.received': z.object({
		/** WhatsApp's ids of the message and of the message that it answers. */
		id: z.string(),
		inReplyTo: z.nullable(z.string()),
		/** The customer's number, or the WhatsApp user id of a customer who hides it. */
		from: z.string(),
		kind: z.string(),
		/** The first 4,096 characters of the text. */
		text: z.nullable(z.string()),
	}),
	'campaign.completed': z.object(Campaign),
	'campaign.paused': z.object({ ...Campaign, reason: z.string() }),
	'template.status': z.object({
		name: z.string(),
		language: z.string(),
		status: z.string(),
		category: z.string(),
		reason: z.nullable(z.string()),
	}),
	'wallet.low': z.object({ available: Amount }),
	'contact.opted_out': z.object({ number: z.string(), because: OptOutReason }),
} as const satisfies Record<EventType, z.ZodMiniType>

/** Returns the shape of a delivery with events of one type. */
export function deliveryOf(type: EventType) {
	const event = z.object({
		id: Described(z.string(), 'Of the event: one that comes again has the same.'),
		type: z.literal(type),
		at: Described(Time, 'When it happened.'),
		data: EVENT_DATA[type],
	})
	return z.object({ events: Described(z.array(event), 'Up to 500, of one type or several.') })
}
