import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { presentAmount } from '../present.ts'
import type { DocsOf } from './docs.ts'

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

export const CAMPAIGN_DOCS: DocsOf<typeof v1Campaigns> = {
	createCampaign: {
		description:
			'Sends a template to a group or segment of contacts, to all contacts, or to a list of your own.\n\nTo **contacts** the whole price is set aside at once, and the campaign starts now or at `startsAt`.\n\nFor a **list** send its first page as `recipients`: the campaign is a `draft`, which costs nothing. Add further pages with `POST /v1/campaigns/{id}/recipients`, then call `POST /v1/campaigns/{id}/start`. An account has at most 10 drafts; one that is not started within 7 days is cancelled.',
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
		errors: [
			'insufficient_balance',
			'day_limit_reached',
			'template_not_found',
			'not_found',
			'template_not_usable',
			'conflict',
			'test_limit_reached',
		],
	},
	segments: {
		description: 'The segments of your account, by name. Their rules are made in the app.',
		response: { data: [{ id: '4', name: 'New this month', createdAt: '2026-11-20T09:05:00.000Z' }], next: null },
	},
	addRecipients: {
		description:
			'Adds up to 5,000 recipients to a draft, which has at most 1,000,000: all of them, or none. Then a 422 names every fault with its place, such as `/recipients/3/to`. A number that the campaign has already is a fault, so nobody is sent to twice. Numbers that opted out are left out of marketing.',
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
		errors: ['recipient_listed', 'conflict', 'busy', 'test_limit_reached'],
	},
	startCampaign: {
		description:
			'Sets the price of all recipients aside, at the prices of now, and starts the campaign at once or at its `startsAt`. Recipients who have got enough marketing by your rule since they were added are left out and counted in `capped`. With too little in the wallet the answer is 402 and the draft stays as it is. A campaign that was started before is answered as it is by now: repeating this call is safe.',
		response: WAITING,
		errors: ['insufficient_balance', 'day_limit_reached', 'conflict', 'busy'],
	},
	campaigns: {
		description:
			'Campaigns of your account, the latest first, with those that gather the messages of `POST /v1/messages`.',
		response: { data: [SENDING], next: '1000000018' },
	},
	campaign: { description: 'A campaign with its counts and its money, as they are now.', response: SENDING },
	pauseCampaign: {
		description: 'Stops sending within a second. What is on its way to WhatsApp at that moment is still sent.',
		response: PAUSED,
		errors: ['conflict'],
	},
	resumeCampaign: {
		description: 'Goes on where the campaign was paused. Nobody gets the message twice.',
		response: SENDING,
		errors: ['conflict', 'insufficient_balance'],
	},
	cancelCampaign: {
		description: 'Ends the campaign for good. The money set aside for what was not sent returns to the wallet.',
		response: { ...SENDING, status: 'cancelled', reason: 'You cancelled this campaign.' },
		errors: ['conflict'],
	},
	report: {
		description: 'Counts, the reasons why messages failed, and how sending went over time, in spans of `spanSeconds`.',
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
		description:
			'The recipients of a campaign in the order of sending: all, those in one status, or those who clicked.',
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
}
