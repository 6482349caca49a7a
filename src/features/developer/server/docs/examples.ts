import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { v1 } from '#features/developer/v1-contract.ts'
import type { v1Messages } from '#features/developer/v1-message-contract.ts'
import type { Endpoint, PartIn, ResponseIn } from '#lib/endpoint.ts'
import { presentAmount } from '../present.ts'

/** Examples of a call, in the types of its contract. */
export interface CallExamples<E extends Endpoint = Endpoint> {
	request?: PartIn<E['body']>
	/** An answer as a handler returns it. */
	response: ResponseIn<E>
}

type Calls = typeof v1Messages & typeof v1Campaigns & typeof v1

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

const DRAFT = {
	id: '1000000018',
	name: 'Diwali offer',
	description: null,
	status: 'draft',
	reason: null,
	template: { name: 'diwali_offer', language: 'en' },
	counts: { pending: 5000, sent: 0, delivered: 0, read: 0, failed: 0, total: 5000 },
	arriving: 0,
	replied: 0,
	quoted: 0,
	capped: 0,
	clicked: 0,
	clickCount: 0,
	heldOut: null,
	price: null,
	cost: presentAmount(0),
	held: presentAmount(0),
	startsAt: '2026-11-23T12:30:00.000Z',
	startedAt: null,
	finishedAt: null,
	createdAt: '2026-11-23T10:00:00.000Z',
} as const

const WAITING = { ...DRAFT, status: 'pending', price: presentAmount(100), held: presentAmount(500_000) } as const
const SENDING = {
	...WAITING,
	status: 'processing',
	counts: { pending: 3200, sent: 500, delivered: 900, read: 380, failed: 20, total: 5000 },
	cost: presentAmount(178_000),
	held: presentAmount(320_000),
	arriving: 3700,
	replied: 64,
	quoted: 21,
	clicked: 112,
	clickCount: 140,
	startedAt: '2026-11-23T12:30:00.612Z',
} as const

const PAUSED = { ...SENDING, status: 'paused', reason: 'You paused this campaign.' } as const
const FAILURE = {
	code: 131026,
	error: 'Message undeliverable',
	count: 20,
	title: 'Not reachable on WhatsApp',
	meaning: 'The number has no WhatsApp account, or cannot receive this message.',
	advice: 'Check the numbers.',
	isWorthRetrying: false,
}

const TEMPLATE = {
	id: '12',
	name: 'order_update',
	language: 'en',
	status: 'APPROVED',
	category: 'UTILITY',
	components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
	values: ['var1', 'var2'],
}

const GROUP = {
	id: '7',
	name: 'Buyers',
	type: 'national',
	description: null,
	contacts: 1240,
	createdAt: '2026-11-20T09:00:00.000Z',
} as const

/** Examples of every call of /v1, by its name. */
export const EXAMPLES: { [K in keyof Calls]: CallExamples<Calls[K]> } = {
	sendMessage: {
		request: {
			to: '+447700900123',
			template: { name: 'order_update' },
			values: { var1: 'Asha', var2: 'A-1001' },
			reference: 'A-1001',
			metadata: { shop: 'Pune' },
		},
		response: { id: '1000000017-42', status: 'pending', campaignId: '1000000017', price: presentAmount(30) },
	},
	sendFile: {
		request: {
			message: JSON.stringify({ to: '+447700900123', template: { name: 'bill' }, values: { var1: 'Asha' } }),
		},
		response: { id: '1000000018-1', status: 'pending', campaignId: '1000000018', price: presentAmount(30) },
	},
	sendBatch: {
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
	},
	messages: { response: { data: [SENT], next: '1000000017-42' } },
	message: { response: SENT },
	createCampaign: {
		request: {
			name: 'Diwali offer',
			template: { name: 'diwali_offer', language: 'en' },
			values: { var1: '{{firstName|friend}}', var2: '20%' },
			recipients: [
				{ to: '+447700900123', name: 'Asha Rao', values: { firstName: 'Asha' }, reference: 'A-1001' },
				{ to: '+447700900124', values: {} },
			],
			startsAt: '2026-11-23T12:30:00Z',
		},
		response: { ...DRAFT, counts: { ...DRAFT.counts, pending: 2, total: 2 } },
	},
	segments: {
		response: { data: [{ id: '4', name: 'New this month', createdAt: '2026-11-20T09:05:00.000Z' }], next: null },
	},
	addRecipients: {
		request: {
			recipients: [
				{
					to: '+447700900125',
					name: 'Meera Iyer',
					values: { firstName: 'Meera' },
					reference: 'A-1003',
					metadata: { shop: 'Pune' },
				},
			],
		},
		response: { added: 1, optedOut: 0, capped: 0, total: 5001 },
	},
	startCampaign: { response: WAITING },
	campaigns: { response: { data: [SENDING], next: '1000000018' } },
	campaign: { response: SENDING },
	pauseCampaign: { response: PAUSED },
	resumeCampaign: { response: SENDING },
	cancelCampaign: { response: { ...SENDING, status: 'cancelled', reason: 'You cancelled this campaign.' } },
	report: {
		response: {
			campaign: SENDING,
			failures: [FAILURE],
			timeline: {
				spanSeconds: 60,
				spans: [{ at: '2026-11-23T12:30:00.000Z', sent: 1800, delivered: 1280, read: 380, failed: 20, clicks: 140 }],
			},
		},
	},
	recipients: {
		response: {
			data: [
				{
					id: '1000000018-1',
					to: '447700900123',
					name: 'Asha Rao',
					status: 'read',
					reference: 'A-1001',
					metadata: null,
					error: null,
					sentAt: '2026-11-23T12:30:00.700Z',
				},
			],
			next: '1',
		},
	},
	description: { response: {} },
	balance: {
		response: {
			available: presentAmount(1_234_500),
			held: presentAmount(320_000),
			prices: {
				marketing: presentAmount(100),
				utility: presentAmount(30),
				authentication: presentAmount(30),
				service: presentAmount(12),
				abroad: [
					{
						market: 'AE',
						name: 'United Arab Emirates',
						marketing: presentAmount(403),
						utility: presentAmount(127),
						authentication: presentAmount(127),
						service: presentAmount(127),
					},
				],
			},
		},
	},
	statement: {
		response: {
			data: [
				{
					id: '981',
					time: '2026-11-23T10:15:30.000Z',
					kind: 'hold',
					campaign: { id: '1000000017', name: 'API · Order update · 23 Nov' },
					messageCount: 42,
					availableChange: presentAmount(-1260),
					heldChange: presentAmount(1260),
					available: presentAmount(1_234_500),
					held: presentAmount(320_000),
				},
			],
			next: '981',
		},
	},
	templates: { response: { data: [TEMPLATE], next: null } },
	template: { response: TEMPLATE },
	contacts: {
		response: {
			data: [
				{
					id: '501',
					firstName: 'Asha',
					lastName: 'Rao',
					number: '447700900123',
					groupId: '7',
					optedOutAt: null,
					tags: ['VIP'],
					fields: { City: 'Pune', Birthday: '1990-11-25' },
					createdAt: '2026-11-20T09:05:00.000Z',
				},
			],
			next: '501',
		},
	},
	upsertContacts: {
		request: {
			contacts: [
				{ firstName: 'Asha', lastName: 'Rao', number: '+447700900123', tags: ['VIP'], fields: { City: 'Pune' } },
				{ firstName: 'Ravi', number: '+447700900124' },
			],
			group: '7',
		},
		response: { added: 1, updated: 1 },
	},
	deleteContact: { response: { id: '501' } },
	groups: { response: { data: [GROUP], next: null } },
	createGroup: {
		request: { name: 'Buyers' },
		response: { ...GROUP, contacts: 0 },
	},
	deleteGroup: { response: { id: '7' } },
	optOuts: {
		response: { data: [{ number: '447700900124', since: '2026-11-21T08:00:00.000Z', because: 'reply' }], next: null },
	},
	setOptOuts: {
		request: { numbers: ['+447700900124'], optedOut: true },
		response: { changed: 1 },
	},
}
