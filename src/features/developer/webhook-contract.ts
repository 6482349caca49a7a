import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { EVENT_TYPES } from '#lib/events.ts'
import { Id, Message, RowId, Text, Time } from '#lib/fields.ts'
import { ListOf, Paged } from './v1-fields.ts'

export const EventName = z.enum(EVENT_TYPES)

const MAX_URL_LENGTH = 2000
const CHOOSE_EVENTS = 'Choose what to be told of'

/** What of an address is chosen. */
export const Target = z.object({
	url: Text(MAX_URL_LENGTH, { missing: 'Enter an address' }).check(z.trim(), z.minLength(1, 'Enter an address')),
	events: z.array(EventName, CHOOSE_EVENTS).check(z.minLength(1, CHOOSE_EVENTS), z.maxLength(EVENT_TYPES.length)),
})

export const WebhookAddress = z.object({
	id: RowId,
	url: z.string(),
	events: z.array(EventName),
	createdAt: Time,
	/** Of the first attempt that failed since the last that did not; null while all is well. */
	failingSince: z.nullable(Time),
	/** Nothing is sent any more; null while it is. */
	switchedOffAt: z.nullable(Time),
	/** How many events wait to be sent. */
	waiting: z.int(),
	/** So many wait that what happens now is not kept for it. */
	isFull: z.boolean(),
})
export type WebhookAddress = z.output<typeof WebhookAddress>

export const WebhookDelivery = z.object({
	id: RowId,
	createdAt: Time,
	events: z.int(),
	state: z.enum(['waiting', 'delivered', 'failed']),
	attempts: z.int(),
	/** Of the last attempt: when it was made, what was answered, or why nothing was, and how long that took. */
	attemptedAt: z.nullable(Time),
	answerStatus: z.nullable(z.int()),
	error: z.nullable(z.string()),
	durationMs: z.nullable(z.int()),
	nextAttemptAt: z.nullable(Time),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

const params = z.object({ id: Id })
const changes = { access: 'user', perMinute: 60, params } as const

/** Where an account's own systems are told what happens. */
export const webhooks = {
	addresses: endpoint('GET /api/developer/webhooks', {
		access: 'user',
		response: z.object({ addresses: z.array(WebhookAddress) }),
	}),
	/** Takes a proof, too. `secret` is shown this once. */
	create: endpoint('POST /api/developer/webhooks', {
		access: 'user',
		perMinute: 60,
		status: 201,
		body: z.extend(Target, proof),
		response: z.object({ id: RowId, secret: z.string() }),
	}),
	/** Switches one on again that was switched off. Another `url` takes a proof, too. */
	change: endpoint('PUT /api/developer/webhooks/{id}', {
		...changes,
		body: z.extend(Target, proof),
		response: Message,
	}),
	/** The secret before signs beside the new one for another day. */
	rotateSecret: endpoint('POST /api/developer/webhooks/{id}/secret', {
		...changes,
		response: z.object({ secret: z.string() }),
	}),
	sendTest: endpoint('POST /api/developer/webhooks/{id}/test', { ...changes, status: 202, response: Message }),
	/** The latest first. */
	deliveries: endpoint('GET /api/developer/webhooks/{id}/deliveries', {
		access: 'user',
		params,
		query: z.object(Paged),
		response: ListOf(WebhookDelivery),
	}),
	/** With the same webhook-id. */
	sendAgain: endpoint('POST /api/developer/webhooks/deliveries/{id}/send', {
		...changes,
		status: 202,
		response: Message,
	}),
	remove: endpoint('DELETE /api/developer/webhooks/{id}', { ...changes, response: Message }),
}
