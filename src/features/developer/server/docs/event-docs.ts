import { deliveryOf } from '#features/developer/webhook-events.ts'
import { EVENT_TYPES, type EventType } from '#lib/events.ts'
import { schema } from '#lib/server/openapi.ts'

const EVENT_TEXTS: Record<EventType, string> = {
	'message.sent': 'WhatsApp has accepted a message',
	'message.delivered': 'A message has reached the phone',
	'message.read': 'A message was read',
	'message.failed': 'A message failed',
	'message.received': 'Somebody wrote to you',
	'campaign.completed': 'A campaign is completed',
	'campaign.paused': 'A campaign was paused',
	'template.status': 'WhatsApp has reviewed a template',
	'wallet.low': 'The wallet is low',
	'contact.opted_out': 'A number has opted out of marketing',
}

/** What is sent to an account's own addresses, as OpenAPI describes webhooks. */
export function describeEvents(): Record<string, unknown> {
	return Object.fromEntries(
		EVENT_TYPES.map((type) => [
			type,
			{
				post: {
					summary: EVENT_TEXTS[type],
					requestBody: { content: { 'application/json': { schema: schema(deliveryOf(type), 'output') } } },
					responses: { '2XX': { description: 'It was received. Anything else is tried again.' } },
				},
			},
		]),
	)
}
