import type * as z from 'zod/mini'
import { PAUSED_BY_OWNER } from '#features/delivery/rules.ts'
import { presentFailure } from '#features/delivery/server/message/failure-words.ts'
import { deliveryOf, type EVENT_DATA } from '#features/developer/webhook-events.ts'
import { EVENT_TYPES, type EventType } from '#features/events/rules.ts'
import { schema } from '#lib/server/http/openapi.ts'
import { presentAmount } from '../present.ts'

const EVENT_ID = '0b6f5c1e-6a1f-4f0e-9d3a-5f6c2b7e8a90'
const AT = '2026-11-23T06:30:12.345Z'
const MESSAGE = { id: '1000000018-4', to: '447700900123', campaignId: '1000000018', reference: 'A-1001' }
const CAMPAIGN = { id: '1000000018', name: 'Diwali offer' }

type EventDocs = { [T in EventType]: { summary: string; data: z.output<(typeof EVENT_DATA)[T]> } }

const EVENTS: EventDocs = {
	'message.sent': { summary: 'WhatsApp has accepted a message', data: MESSAGE },
	'message.delivered': { summary: 'A message has reached the phone', data: MESSAGE },
	'message.read': { summary: 'A message was read', data: MESSAGE },
	'message.failed': {
		summary: 'A message failed',
		data: { ...MESSAGE, error: presentFailure(131026) },
	},
	'message.received': {
		summary: 'A customer wrote to you',
		data: {
			id: 'wamid.HBgMNDQ3NzAwOTAwMTIzFQIAEhgUM0E1QjQ3',
			inReplyTo: null,
			from: '447700900123',
			kind: 'text',
			text: 'Is my order on its way?',
		},
	},
	'campaign.completed': { summary: 'A campaign is completed', data: CAMPAIGN },
	'campaign.paused': { summary: 'A campaign was paused', data: { ...CAMPAIGN, reason: PAUSED_BY_OWNER } },
	'template.status': {
		summary: 'WhatsApp has reviewed a template',
		data: { name: 'diwali_offer', language: 'en', status: 'APPROVED', category: 'MARKETING', reason: null },
	},
	'wallet.low': { summary: 'The wallet is low', data: { available: presentAmount(48_250) } },
	'contact.opted_out': {
		summary: 'A number has opted out of marketing',
		data: { number: '447700900123', because: 'reply' },
	},
}

/** Returns the OpenAPI description of webhooks to an account's own addresses. */
export function describeEvents(): Record<string, unknown> {
	return Object.fromEntries(
		EVENT_TYPES.map((type) => [
			type,
			{
				post: {
					summary: EVENTS[type].summary,
					requestBody: {
						content: {
							'application/json': {
								schema: schema(deliveryOf(type), 'output'),
								example: { events: [{ id: EVENT_ID, type, at: AT, data: EVENTS[type].data }] },
							},
						},
					},
					responses: {
						'2XX': {
							description: 'Your system has received the events. After any other answer, the delivery is sent again.',
						},
					},
				},
			},
		]),
	)
}
