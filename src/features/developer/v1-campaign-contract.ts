import * as z from 'zod/mini'
import { CampaignStatus, FailureGroup, StatusCounts } from '#features/campaigns/contract.ts'
import { Variables } from '#features/campaigns/form-fields.ts'
import { MessageStatus } from '#features/messages/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalText, Required, RowId, SentTime, Time } from '#lib/fields.ts'
import { Amount, ListOf, Paged, TemplateName } from './v1-fields.ts'
import { MAX_BATCH_BYTES, OneMessage } from './v1-message-contract.ts'

const Campaign = z.object({
	id: RowId,
	name: z.string(),
	description: z.nullable(z.string()),
	status: CampaignStatus,
	/** Why it is paused or failed, or what it waits for. */
	reason: z.nullable(z.string()),
	template: z.object({ name: z.string(), language: z.string() }),
	/** In each status now; they add up to `total`. */
	counts: z.extend(StatusCounts, { total: z.int() }),
	/** Recipients who followed a link whose clicks are counted, and how often they all did. */
	clicked: z.int(),
	clickCount: z.int(),
	/** Of each message; null of a draft, which has the price of the moment when it is started. */
	price: z.nullable(Amount),
	/** Charged so far; set aside for messages that are not sent yet. */
	cost: Amount,
	held: Amount,
	startsAt: Time,
	startedAt: z.nullable(Time),
	finishedAt: z.nullable(Time),
	createdAt: Time,
})

const MAX_PAGE = 5000

const Recipients = z
	.array(
		z.extend(OneMessage, {
			/** Shown in the report. */
			name: OptionalText(200),
		}),
	)
	.check(z.minLength(1, 'Send at least one recipient'), z.maxLength(MAX_PAGE, 'At most 5,000 recipients at once'))

const writes = { access: 'key', scope: 'campaigns:write' } as const
const one = { ...writes, params: z.object({ id: Id }) } as const

/** Campaigns that programs start and follow. */
export const v1Campaigns = {
	createCampaign: endpoint('POST /v1/campaigns', {
		...writes,
		status: 201,
		effort: 'long',
		isRepeatable: true,
		maxBytes: MAX_BATCH_BYTES,
		summary: 'Sends a template to a group or all contacts; or makes a draft for a list of recipients',
		body: z.object({
			name: Required('Campaign name is required'),
			description: OptionalText(1000),
			template: TemplateName,
			/** May hold {{firstName}}, {{lastName}} and {{number}}, and what stands for a missing one: {{firstName|friend}}. */
			values: z._default(Variables, {}),
			/** Left out, it goes to all contacts, or to `recipients`. */
			group: z.optional(Id),
			/** The first page of a list, which makes the campaign a draft: add the others, then start it. */
			recipients: z.optional(Recipients),
			/** Left out, or passed by the time when a draft is started, it begins at once. */
			startsAt: z.optional(SentTime),
			/** Whom WhatsApp holds back is sent to again after a day, each time by a campaign of its own. */
			retryHeldBack: z._default(z.boolean(), false),
		}),
		response: Campaign,
	}),
	addRecipients: endpoint('POST /v1/campaigns/{id}/recipients', {
		...one,
		effort: 'heavy',
		isRepeatable: true,
		maxBytes: MAX_BATCH_BYTES,
		summary: 'Adds up to 5,000 recipients to a draft: all of them, or none with a list of what is wrong',
		body: z.object({ recipients: Recipients }),
		response: z.object({
			added: z.int(),
			/** Left out, as they receive no marketing. */
			optedOut: z.int(),
			/** In the campaign by now. */
			total: z.int(),
		}),
	}),
	startCampaign: endpoint('POST /v1/campaigns/{id}/start', {
		...one,
		effort: 'heavy',
		summary: 'Sets the price of a draft aside and sends it, now or at its time. Repeated, it changes nothing',
		response: Campaign,
	}),
	campaigns: endpoint('GET /v1/campaigns', {
		...writes,
		summary: 'Campaigns, the latest first, with those that gather single messages',
		query: z.object(Paged),
		response: ListOf(Campaign),
	}),
	campaign: endpoint('GET /v1/campaigns/{id}', {
		...one,
		summary: 'One campaign, with its counts',
		response: Campaign,
	}),
	pauseCampaign: endpoint('POST /v1/campaigns/{id}/pause', {
		...one,
		summary: 'Pauses a campaign within a second',
		response: Campaign,
	}),
	resumeCampaign: endpoint('POST /v1/campaigns/{id}/resume', {
		...one,
		summary: 'Goes on where a campaign was paused',
		response: Campaign,
	}),
	cancelCampaign: endpoint('POST /v1/campaigns/{id}/cancel', {
		...one,
		summary: 'Ends a campaign, and gives back what was not sent',
		response: Campaign,
	}),
	report: endpoint('GET /v1/campaigns/{id}/report', {
		...one,
		summary: 'What became of a campaign: its reasons of failure, and its course in time',
		response: z.object({
			campaign: Campaign,
			failures: z.array(FailureGroup),
			timeline: z.object({
				spanSeconds: z.int(),
				spans: z.array(
					z.object({ at: Time, sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int(), clicks: z.int() }),
				),
			}),
		}),
	}),
	recipients: endpoint('GET /v1/campaigns/{id}/recipients', {
		...one,
		summary: 'The recipients of a campaign, all or those in one status',
		query: z.object({ ...Paged, status: z.optional(MessageStatus) }),
		response: ListOf(
			z.object({
				/** Of the message, as /v1/messages/{id} takes it. */
				id: z.string(),
				to: z.string(),
				name: z.nullable(z.string()),
				status: MessageStatus,
				error: z.nullable(z.object({ code: z.int(), title: z.string() })),
				sentAt: z.nullable(Time),
			}),
		),
	}),
}
