import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { EVENT_TYPES } from '#features/events/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, RowId, Text, Time } from '#lib/fields.ts'
import { ListOf, Paged } from './v1-fields.ts'

export const EventName = z.enum(EVENT_TYPES)

const MAX_URL_LENGTH = 2000
const CHOOSE_EVENTS = 'Choose at least one event'

/** URL and events that the user chooses for an address. */
export const Target = z.object({
	url: Text(MAX_URL_LENGTH, { missing: 'Enter an address' }).check(z.trim(), z.minLength(1, 'Enter an address')),
	events: z.array(EventName, CHOOSE_EVENTS).check(z.minLength(1, CHOOSE_EVENTS), z.maxLength(EVENT_TYPES.length)),
})

/** Body of an added or changed address, with a proof of identity. */
export const AddressBody = z.extend(Target, proof)

export const WebhookAddress = z.object({
	id: RowId,
	url: z.string(),
	events: z.array(EventName),
	createdAt: Time,
	/** Time of the first failed attempt since the last success; null while the address works. */
	failingSince: z.nullable(Time),
	/** Time from which nothing is sent; null while the address is on. */
	switchedOffAt: z.nullable(Time),
	/** Number of events that wait to be sent. */
	waiting: z.int(),
	/** True when too many events wait, so that new ones are not stored. */
	isFull: z.boolean(),
})
export type WebhookAddress = z.output<typeof WebhookAddress>

export const WebhookDelivery = z.object({
	id: RowId,
	createdAt: Time,
	events: z.int(),
	state: z.enum(['waiting', 'delivered', 'failed']),
	attempts: z.int(),
	/** Time, answer, error and duration of the last attempt. */
	attemptedAt: z.nullable(Time),
	answerStatus: z.nullable(z.int()),
	error: z.nullable(z.string()),
	durationMs: z.nullable(z.int()),
	nextAttemptAt: z.nullable(Time),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

const params = z.object({ id: Id })
const changes = { access: 'owner', perMinute: 60, params } as const

/** Calls about the addresses that receive an account's events. */
export const webhooks = {
	addresses: endpoint('GET /api/developer/webhooks', {
		access: 'owner',
		response: z.object({ addresses: z.array(WebhookAddress) }),
	}),
	/** Adds an address after a proof of identity. `secret` is returned only here. */
	create: endpoint('POST /api/developer/webhooks', {
		access: 'owner',
		perMinute: 60,
		status: 201,
		body: AddressBody,
		response: z.object({ id: RowId, secret: z.string() }),
	}),
	/** Changes an address, and switches it on. A new `url` requires a proof of identity. */
	change: endpoint('PUT /api/developer/webhooks/{id}', {
		...changes,
		body: AddressBody,
		response: Message,
	}),
	/** Creates a new secret. The previous one also signs for another day. */
	rotateSecret: endpoint('POST /api/developer/webhooks/{id}/secret', {
		...changes,
		response: z.object({ secret: z.string() }),
	}),
	sendTest: endpoint('POST /api/developer/webhooks/{id}/test', { ...changes, status: 202, response: Message }),
	/** Returns deliveries, latest first. */
	deliveries: endpoint('GET /api/developer/webhooks/{id}/deliveries', {
		access: 'owner',
		params,
		query: z.object(Paged),
		response: ListOf(WebhookDelivery),
	}),
	/** Sends a delivery again with the same webhook-id. */
	sendAgain: endpoint('POST /api/developer/webhooks/deliveries/{id}/send', {
		...changes,
		status: 202,
		response: Message,
	}),
	remove: endpoint('DELETE /api/developer/webhooks/{id}', { ...changes, response: Message }),
}
