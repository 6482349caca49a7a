import * as z from 'zod/mini'
import { HeldOut, HoldOutPercent } from '#features/audiences/control-group.ts'
import { FailureGroup, RecipientFilter, StatusCounts } from '#features/campaigns/contract.ts'
import { ARRIVING_MEANS, QUOTED_MEANS, REPLIED_MEANS } from '#features/campaigns/figures.ts'
import { Timeline } from '#features/campaigns/report-contract.ts'
import { CampaignStatus } from '#features/delivery/campaign-status.ts'
import { MessageStatus } from '#features/delivery/rules.ts'
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
		'Messages by their status now; they add up to `total`. The share delivered is `delivered` and `read` together of `total`.',
	),
	arriving: Described(z.int(), ARRIVING_MEANS),
	replied: Described(z.int(), `Recipients who replied. ${REPLIED_MEANS}`),
	quoted: Described(z.int(), QUOTED_MEANS),
	capped: Described(z.int(), 'Left out and not charged, as they have got enough marketing by your rule.'),
	clicked: Described(z.int(), 'Recipients who followed a link whose clicks are counted.'),
	clickCount: Described(z.int(), 'How often they followed it altogether.'),
	heldOut: Described(
		z.nullable(HeldOut),
		'People who were kept out, and how many of them and of the recipients replied within 72 hours (`wrote`) or clicked within 7 days of the start; null where nobody was kept out.',
	),
	price: Described(
		z.nullable(Amount),
		'Of each message. Null while it is a draft: its price is that of the moment when it is started.',
	),
	cost: Described(Amount, 'Charged so far.'),
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

const oneAudience = Across<Partial<Record<(typeof AUDIENCES)[number] | 'holdOutPercent', unknown>>>((body) => {
	const [first, second] = AUDIENCES.filter((name) => body[name] !== undefined)
	if (first === undefined) return [{ path: ['audience'], message: AUDIENCE_MISSING }]
	if (second !== undefined) return [{ path: [second], message: `Send either ${first} or ${second}` }]
	if (first !== 'recipients' || body.holdOutPercent === undefined) return []
	return [{ path: ['holdOutPercent'], message: 'Leave people out of your own list yourself' }]
})

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
		body: z
			.strictObject({
				name: Described(Required('Campaign name is required'), 'For your reports; recipients do not see it.'),
				description: Described(OptionalText(1000), 'For your reports too.'),
				template: TemplateName,
				values: Described(
					z._default(Values, {}),
					'What fills the places of the template, by the names that `GET /v1/templates` lists. A value may hold merge tags with a fallback, such as {{firstName|friend}}: for contacts firstName, lastName, number and your own fields, for a list whatever its recipients have.',
				),
				audience: Described(
					z.optional(z.literal('all', 'Send "all", or leave it out')),
					'`all`: the campaign goes to all contacts. Send either this, `group`, `segment` or `recipients`.',
				),
				group: Described(z.optional(Id), 'The id of a group of contacts.'),
				segment: Described(
					z.optional(Id),
					'The id of a segment. The campaign goes to the contacts whom its rules choose now.',
				),
				recipients: Described(
					z.optional(Recipients),
					'Your own list: its first page, up to 5,000. The campaign is a draft until you start it.',
				),
				startsAt: Described(
					z.optional(SentTime),
					'Left out, it starts at once; so does a draft that is started after this time.',
				),
				holdOutPercent: Described(
					z.optional(HoldOutPercent),
					'Keeps so many percent of a group, a segment or all contacts out, chosen by chance and not charged, so that you can compare. Not for a list of your own.',
				),
				retryHeldBack: Described(
					z._default(z.boolean(), false),
					'Sends again, after a day, to recipients whom WhatsApp held back, each time by a campaign of its own.',
				),
			})
			.check(oneAudience, numbersOfList),
		response: Campaign,
	}),
	segments: endpoint('GET /v1/segments', {
		...reads,
		summary: 'List segments',
		response: ListOf(z.object({ id: RowId, name: z.string(), createdAt: Time })),
	}),
	addRecipients: endpoint('POST /v1/campaigns/{id}/recipients', {
		...one,
		effort: 'heavy',
		maxBytes: MAX_LIST_BYTES,
		summary: 'Add recipients to a draft',
		body: z.strictObject({ recipients: Recipients }).check(numbersOfList),
		response: z.object({
			added: Described(z.int(), 'Of this page.'),
			optedOut: Described(z.int(), 'Left out and not charged, as these numbers receive no marketing.'),
			capped: Described(z.int(), 'Left out and not charged, as they have got enough marketing by your rule.'),
			total: Described(z.int(), 'Recipients of the campaign by now.'),
		}),
	}),
	startCampaign: endpoint('POST /v1/campaigns/{id}/start', {
		...one,
		effort: 'heavy',
		summary: 'Start a draft',
		response: Campaign,
	}),
	campaigns: endpoint('GET /v1/campaigns', {
		...reads,
		summary: 'List campaigns',
		query: z.strictObject(Paged),
		response: ListOf(Campaign),
	}),
	campaign: endpoint('GET /v1/campaigns/{id}', {
		...readsOne,
		summary: 'Read a campaign',
		response: Campaign,
	}),
	pauseCampaign: endpoint('POST /v1/campaigns/{id}/pause', {
		...one,
		summary: 'Pause a campaign',
		response: Campaign,
	}),
	resumeCampaign: endpoint('POST /v1/campaigns/{id}/resume', {
		...one,
		summary: 'Resume a campaign',
		response: Campaign,
	}),
	cancelCampaign: endpoint('POST /v1/campaigns/{id}/cancel', {
		...one,
		summary: 'Cancel a campaign',
		response: Campaign,
	}),
	report: endpoint('GET /v1/campaigns/{id}/report', {
		...readsOne,
		summary: 'Read the report of a campaign',
		response: z.object({
			campaign: Campaign,
			failures: z.array(FailureGroup),
			timeline: Timeline,
		}),
	}),
	recipients: endpoint('GET /v1/campaigns/{id}/recipients', {
		...readsOne,
		summary: 'List the recipients of a campaign',
		query: z.strictObject({
			...Paged,
			status: Described(z.optional(RecipientFilter), 'A status, or `clicked` for those who followed a counted link.'),
		}),
		response: ListOf(
			z.object({
				id: Described(z.string(), 'The message, as `GET /v1/messages/{id}` takes it.'),
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
