import type { v1Messages } from '#features/developer/v1-message-contract.ts'
import { presentAmount } from '../present.ts'
import type { DocsOf } from './docs.ts'

const SENT = {
	id: '1000000017-42',
	to: '447700900123',
	status: 'delivered',
	campaignId: '1000000017',
	template: { name: 'order_update', language: 'en' },
	reference: 'A-1001',
	metadata: { shop: 'Pune' },
	error: null,
	sentAt: '2026-11-23T10:15:30.412Z',
	statusAt: '2026-11-23T10:15:32.000Z',
} as const

const REFUSALS = [
	'insufficient_balance',
	'day_limit_reached',
	'template_not_found',
	'template_not_usable',
	'recipient_opted_out',
	'sender_missing',
	'sender_stopped',
	'busy',
	'test_limit_reached',
] as const

export const MESSAGE_DOCS: DocsOf<typeof v1Messages> = {
	sendMessage: {
		description:
			'Sends a template to one number. The answer 202 means that the message is stored and its price set aside: it is sent within about a second, ahead of the campaigns of your account, also if this server restarts. Follow it with `GET /v1/messages/{id}`. Messages of a day with one template stand in My Campaigns as one entry.',
		request: {
			to: '+447700900123',
			template: { name: 'order_update' },
			values: { var1: 'Asha', var2: 'A-1001' },
			reference: 'A-1001',
			metadata: { shop: 'Pune' },
		},
		response: { id: '1000000017-42', status: 'pending', campaignId: '1000000017', price: presentAmount(30) },
		errors: REFUSALS,
	},
	sendBatch: {
		description:
			'Sends one template to up to 1,000 numbers, each with values of its own. All of them are stored and paid, or none: then a 422 names every fault with its place, such as `/messages/3/to`.',
		request: {
			template: { name: 'order_update', language: 'en' },
			messages: [
				{ to: '+447700900123', values: { var1: 'Asha', var2: 'A-1001' } },
				{ to: '+447700900124', values: { var1: 'Ravi', var2: 'A-1002' } },
			],
		},
		response: {
			campaignId: '1000000017',
			price: presentAmount(30),
			total: presentAmount(60),
			messages: [
				{ id: '1000000017-43', to: '+447700900123' },
				{ id: '1000000017-44', to: '+447700900124' },
			],
		},
		errors: REFUSALS,
	},
	messages: {
		description:
			'Messages of your account, by this API, of campaigns, and tests: the latest campaign first, or the latest day of messages by API, and in each the last message first.',
		response: { data: [SENT], next: '1000000017-42' },
	},
	message: {
		description:
			'What became of a message. Its status goes from `pending` over `sent` and `delivered` to `read`, or to `failed`, with the reason; what failed is not charged.',
		response: SENT,
	},
}
