import * as z from 'zod/mini'
import { ControlGroup, ControlGroupPercent } from '#features/audiences/rules.ts'
import { FailureGroup, RecipientFilter, StatusCounts, Timeline } from '#features/campaigns/contract.ts'
import { ARRIVING_MEANS, QUOTED_MEANS, REPLIED_MEANS } from '#features/campaigns/rules.ts'
import { Clock, RecipientOrder } from '#features/delivery/contract.ts'
import { MessageStatus, CampaignStatus } from '#features/delivery/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Across, Id, OptionalText, Required, RowId, SentTime, Time } from '#lib/fields.ts'
import { Amount, Described, ListOf, MAX_LIST_BYTES, Paged, TemplateName, Values } from './v1-fields.ts'
import { Named, OneMessage } from './v1-message-contract.ts'
import { NumbersBesideFaults } from './v1-number-fields.ts'

const Campaign = z.object({
	id: RowId,
	name: z.string(),
	description: z.nullable(z.string()),
	status: CampaignStatus,
	reason: Described(z.nullable(z.string()), 'Why it is paused or failed, or what it waits for.'),
	template: z.object({ name: z.string(), language: z.string() }),
	counts: Described(
		z.extend(StatusCounts, { total: z.int() }),
		'Number of messages by present status; the numbers add up to `total`. The share delivered is the sum of `delivered` and `read`, divided by `total`.',
	),
	arriving: Described(z.int(), ARRIVING_MEANS),
	replied: Described(z.int(), `Recipients who replied. ${REPLIED_MEANS}`),
	quoted: Described(z.int(), QUOTED_MEANS),
	capped: Described(z.int(), 'Left out and not charged, as they have got enough marketing by your rule.'),
	clicked: Described(z.int(), 'Recipients who followed a link whose clicks are counted.'),
	clickCount: Described(z.int(), 'How often they followed it altogether.'),
	heldOut: Described(
		z.nullable(ControlGroup),
		'The control group: number of people who got no message, so that results can be compared, and how many of them and of the recipients replied within 72 hours (`wrote`) or clicked within 7 days of the start; null without a control group.',
	),
	price: Described(
		z.nullable(Amount),
		'Price of each message. Null for a draft, which gets the prices that apply when it is started.',
	),
	cost: Described(Amount, 'Charged so far.'),
	passedOn: Described(
		z.optional(z.object({ messages: z.int(), amount: Amount })),
		'Messages that WhatsApp does not charge and that were therefore refunded, where your prices include that, with the sum of their prices. Absent for none.',
	),
	held: Described(Amount, 'Set aside in the wallet for messages that are not sent yet.'),
	startsAt: Described(Time, 'When it is to start.'),
	startedAt: Described(z.nullable(Time), 'When its first message could be sent.'),
	finishedAt: Described(z.nullable(Time), 'When its last message was sent or given up.'),
	createdAt: Time,
})

const MAX_PAGE = 5000

const Recipients = z
	.array(
		z.extend(OneMessage, {
			name: Described(OptionalText(200), 'Shown beside the number in reports.'),
			...Named,
		}),
	)
	.check(z.minLength(1, 'Send at least one recipient'), z.maxLength(MAX_PAGE, 'At most 5,000 recipients at once'))

const numbersOfList = NumbersBesideFaults({ list: 'recipients', field: 'to' })

/** Fields that choose the audience of a campaign; a request has exactly one of them. */
const AUDIENCES = ['audience', 'group', 'segment', 'recipients'] as const
const AUDIENCE_MISSING = 'Say who gets it: send a group, a segment, recipients, or "audience": "all" for all contacts'

const oneAudience = Across<Partial<Record<(typeof AUDIENCES)[number] | 'holdOutPercent' | 'recipientOrder', unknown>>>(
	(body) => {
		const [first, second] = AUDIENCES.filter((name) => body[name] !== undefined)
		if (first === undefined) return [{ path: ['audience'], message: AUDIENCE_MISSING }]
		if (second !== undefined) return [{ path: [second], message: `Send either ${first} or ${second}` }]
		if (first !== 'recipients') return []
		const sorted = { path: ['recipientOrder'], message: 'Send your own list in the order that you want' }
		const heldOut = { path: ['holdOutPercent'], message: 'Leave people out of your own list yourself' }
		return [
			...(body.recipientOrder === 'engaged' ? [sorted] : []),
			...(body.holdOutPercent === undefined ? [] : [heldOut]),
		]
	},
)

const writes = { access: 'key', scope: 'campaigns:write' } as const
const reads = { access: 'key', scope: 'campaigns:read', widerScope: 'campaigns:write' } as const
const params = z.object({ id: Id })
const one = { ...writes, params } as const
const readsOne = { ...reads, params } as const

/** Calls to start and follow campaigns. */
export const v1Campaigns = {
	createCampaign: endpoint('POST /v1/campaigns', {
		...writes,
		status: 201,
		effort: 'long',
		maxBytes: MAX_LIST_BYTES,
		summary: 'Create a campaign',
		description:
			'Sends a template to a group or segment of contacts, to all contacts, or to a list of your own.\n\nTo **contacts** the whole price is set aside at once, and the campaign starts now or at `startsAt`.\n\nFor a **list** send its first page as `recipients`: the campaign is a `draft`, which costs nothing. Add further pages with `POST /v1/campaigns/{id}/recipients`, then call `POST /v1/campaigns/{id}/start`. An account has at most 10 drafts; one that is not started within 7 days is cancelled.',
		errors: [
			'insufficient_balance',
			'day_limit_reached',
			'template_not_found',
			'not_found',
			'template_not_usable',
			'conflict',
			'test_limit_reached',
		],
		body: z
			.strictObject({
				name: Described(Required('Campaign name is required'), 'For your reports; recipients do not see it.'),
				description: Described(OptionalText(1000), 'A note for your own reports.'),
				template: TemplateName,
				values: Described(
					z._default(Values, {}),
					'Values of the variables of the template, by the names that `GET /v1/templates` lists. A value may contain merge tags with a fallback, such as {{firstName|friend}}: firstName, lastName, number and your custom fields for contacts, the names of the recipients’ `values` for a list.',
				),
				audience: Described(
					z.optional(z.literal('all', 'Send "all", or leave it out')),
					'`all`: the campaign goes to all contacts. Send either this, `group`, `segment` or `recipients`.',
				),
				group: Described(z.optional(Id), 'The id of a group of contacts.'),
				segment: Described(
					z.optional(Id),
					'The id of a segment. The campaign is sent to the contacts that match its rules now.',
				),
				recipients: Described(
					z.optional(Recipients),
					'Your own list: its first page, up to 5,000. The campaign is a draft until you start it.',
				),
				startsAt: Described(
					z.optional(SentTime),
					'Time of the start. Without it, the campaign starts immediately; a draft that is started after this time does too.',
				),
				holdOutPercent: Described(
					z.optional(ControlGroupPercent),
					'Percentage of a group, a segment or all contacts that forms a control group: chosen by chance, gets no message and costs nothing. Not for a list of your own.',
				),
				recipientOrder: Described(
					z.optional(RecipientOrder),
					'`engaged`: people who read, replied or clicked in the last 90 days come first, which matters when WhatsApp’s daily limit spreads the campaign over several days. Without it, the order of the list. Not for a list of your own, which you send in your order.',
				),
				dailyStart: Described(
					z.optional(Clock),
					'The time in India from which the campaign continues on each day after its first, such as 10:00, when WhatsApp’s daily limit spreads it over several days. Must be outside your quiet hours.',
				),
				retryHeldBack: Described(
					z.optional(z.boolean()),
					'Has no effect, and will be removed: messages that WhatsApp holds back are not sent again.',
				),
			})
			.check(oneAudience, numbersOfList),
		response: Campaign,
	}),
	segments: endpoint('GET /v1/segments', {
		...reads,
		summary: 'List segments',
		description: 'The segments of your account, by name. You create their rules in the app.',
		response: ListOf(z.object({ id: RowId, name: z.string(), createdAt: Time })),
	}),
	addRecipients: endpoint('POST /v1/campaigns/{id}/recipients', {
		...one,
		effort: 'heavy',
		maxBytes: MAX_LIST_BYTES,
		summary: 'Add recipients to a draft',
		description:
			'Adds up to 5,000 recipients to a draft, which has at most 1,000,000. Adds all of them, or none and returns a 422 that names every fault with its place, such as `/recipients/3/to`. A number that the campaign already has is a fault, so that each person gets one message. Numbers that have opted out are left out of marketing.',
		errors: ['recipient_listed', 'conflict', 'busy', 'test_limit_reached'],
		body: z.strictObject({ recipients: Recipients }).check(numbersOfList),
		response: z.object({
			added: Described(z.int(), 'Of this page.'),
			optedOut: Described(z.int(), 'Left out and not charged, as these numbers receive no marketing.'),
			capped: Described(z.int(), 'Left out and not charged, as they have got enough marketing by your rule.'),
			unpriced: Described(
				z.optional(z.int()),
				'Number of recipients who are left out and not charged, because messages to their country are blocked or have no price. Absent for none.',
			),
			total: Described(z.int(), 'Recipients of the campaign by now.'),
		}),
	}),
	startCampaign: endpoint('POST /v1/campaigns/{id}/start', {
		...one,
		effort: 'heavy',
		summary: 'Start a draft',
		description:
			'Holds the present price of all recipients, and starts the campaign immediately or at its `startsAt`. Leaves out recipients who have reached your marketing limit since they were added, and counts them in `capped`. When the wallet is short, the answer is 402 and the draft stays unchanged. For a campaign that was started before, the answer is its present state, so repeating this call is safe.',
		errors: ['insufficient_balance', 'day_limit_reached', 'conflict', 'busy'],
		response: Campaign,
	}),
	campaigns: endpoint('GET /v1/campaigns', {
		...reads,
		summary: 'List campaigns',
		description:
			'Campaigns of your account, the latest first, including the daily campaigns that contain the messages of `POST /v1/messages`.',
		query: z.strictObject(Paged),
		response: ListOf(Campaign),
	}),
	campaign: endpoint('GET /v1/campaigns/{id}', {
		...readsOne,
		summary: 'Read a campaign',
		description: 'A campaign with its present counts and amounts.',
		response: Campaign,
	}),
	pauseCampaign: endpoint('POST /v1/campaigns/{id}/pause', {
		...one,
		summary: 'Pause a campaign',
		description:
			'Stops sending within a second. Messages that are on their way to WhatsApp at that moment are still sent.',
		errors: ['conflict'],
		response: Campaign,
	}),
	resumeCampaign: endpoint('POST /v1/campaigns/{id}/resume', {
		...one,
		summary: 'Resume a campaign',
		description: 'Continues where the campaign was paused. Each person gets the message once.',
		errors: ['conflict', 'insufficient_balance'],
		response: Campaign,
	}),
	cancelCampaign: endpoint('POST /v1/campaigns/{id}/cancel', {
		...one,
		summary: 'Cancel a campaign',
		description: 'Ends the campaign for good. The money on hold for unsent messages returns to the wallet.',
		errors: ['conflict'],
		response: Campaign,
	}),
	report: endpoint('GET /v1/campaigns/{id}/report', {
		...readsOne,
		summary: 'Read the report of a campaign',
		description: 'Counts, the reasons why messages failed, and how sending went over time, in spans of `spanSeconds`.',
		response: z.object({
			campaign: Campaign,
			failures: z.array(FailureGroup),
			timeline: Timeline,
		}),
	}),
	recipients: endpoint('GET /v1/campaigns/{id}/recipients', {
		...readsOne,
		summary: 'List the recipients of a campaign',
		description:
			'The recipients of a campaign in the order of sending: all, those in one status, or those who clicked.',
		query: z.strictObject({
			...Paged,
			status: Described(z.optional(RecipientFilter), 'A status, or `clicked` for those who followed a counted link.'),
		}),
		response: ListOf(
			z.object({
				id: Described(z.string(), 'Id of the message for `GET /v1/messages/{id}`.'),
				to: z.string(),
				name: z.nullable(z.string()),
				status: MessageStatus,
				reference: z.nullable(z.string()),
				metadata: z.nullable(z.record(z.string(), z.string())),
				error: z.nullable(z.object({ code: z.int(), title: z.string() })),
				sentAt: z.nullable(Time),
			}),
		),
	}),
}
