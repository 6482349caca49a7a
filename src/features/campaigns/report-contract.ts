import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Required, RowId, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import { CampaignRow, oneCampaign, RecipientFilter } from './contract.ts'
import { Problem } from './preflight-contract.ts'

const RecipientGroup = z.enum(['failed', 'unread', 'read', 'replied', 'clicked'])
/** Whom a new group is made of: `unread` is delivered and not read. */
export type RecipientGroup = z.output<typeof RecipientGroup>

/** How many messages were sent, delivered, read, failed and clicked in each span of time, oldest first; spans without any are left out. */
export const Timeline = z.object({
	spanSeconds: z.int(),
	spans: z.array(
		z.object({ at: Time, sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int(), clicks: z.int() }),
	),
})

/** What is asked, and done, once a campaign has been sent. */
export const campaignReports = {
	timeline: endpoint('GET /api/campaigns/{id}/timeline', { ...oneCampaign, response: Timeline }),
	/** Every recipient with the outcome; its first columns can be uploaded again as an audience. */
	exportCsv: endpoint('GET /api/campaigns/{id}/export', {
		...oneCampaign,
		effort: 'export',
		query: z.object({ status: z.optional(RecipientFilter) }),
		response: { file: 'text/csv' },
	}),
	/** What sending the failed messages again would reach and cost; `notWorthIt` and `optedOut` are left out. */
	retryEstimate: endpoint('GET /api/campaigns/{id}/retry', {
		...oneCampaign,
		effort: 'heavy',
		response: z.object({
			failed: z.int(),
			notWorthIt: z.int(),
			optedOut: z.int(),
			/** Of the others, who have got enough marketing by the account's rule. */
			capped: z.int(),
			recipients: z.int(),
			price: z.number(),
			cost: z.number(),
			walletBalance: z.number(),
			problems: z.array(Problem),
		}),
	}),
	/** A new campaign to those whose failure may pass, with the same template and values. */
	retryFailed: endpoint('POST /api/campaigns/{id}/retry', {
		...oneCampaign,
		effort: 'long',
		body: z.object({ requestId: z.optional(RequestId) }),
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
	/** How many a new group would have; a contact is in one group at most, so `moved` would leave another. */
	groupEstimate: endpoint('GET /api/campaigns/{id}/group', {
		...oneCampaign,
		effort: 'heavy',
		query: z.object({ of: z.catch(RecipientGroup, 'failed') }),
		response: z.object({ recipients: z.int(), moved: z.int(), added: z.int() }),
	}),
	/** Makes a contact group of recipients; those who are no contacts yet become contacts. */
	createGroup: endpoint('POST /api/campaigns/{id}/group', {
		...oneCampaign,
		effort: 'long',
		body: z.object({ name: Required('Name and type are required', 100), of: RecipientGroup }),
		response: z.object({ message: z.string(), group: z.object({ _id: RowId, name: z.string() }) }),
	}),
}
