import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Required, RowId } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import { CampaignRow, oneCampaign, RecipientFilter, Timeline } from './contract.ts'
import { MarketSplit, Problem } from './preflight-contract.ts'
import { ShownPrices } from './rules.ts'

const RecipientGroup = z.enum(['failed', 'unread', 'read', 'replied', 'clicked'])
/** The recipients to make a new group of. `unread` is delivered and not read. */
export type RecipientGroup = z.output<typeof RecipientGroup>

/** The calls about a campaign that has been sent. */
export const campaignReports = {
	timeline: endpoint('GET /api/campaigns/{id}/timeline', { ...oneCampaign, response: Timeline }),
	/** Returns the first recipients, each with the values of the message that they got, for previews. */
	samples: endpoint('GET /api/campaigns/{id}/samples', {
		...oneCampaign,
		response: z.object({
			samples: z.array(
				z.object({ name: z.nullable(z.string()), number: z.string(), variables: z.record(z.string(), z.string()) }),
			),
		}),
	}),
	/** Returns every recipient with the outcome. The first columns can be uploaded again as an audience. */
	exportCsv: endpoint('GET /api/campaigns/{id}/export', {
		...oneCampaign,
		effort: 'export',
		query: z.object({ status: z.optional(RecipientFilter) }),
		response: { file: 'text/csv' },
	}),
	/**
	 * Returns the reach and cost of sending the failed messages again. `heldBack`, `notWorthIt`, `optedOut` and `capped` are
	 * left out.
	 */
	retryEstimate: endpoint('GET /api/campaigns/{id}/retry', {
		...oneCampaign,
		effort: 'heavy',
		response: z.object({
			failed: z.int(),
			/** Number of throttled messages. */
			heldBack: z.int(),
			/** Messages whose failure would repeat, or that a retry has sent again. */
			notWorthIt: z.int(),
			optedOut: z.int(),
			/** People who are not opted out but have received as much marketing as the account's rule allows. */
			capped: z.int(),
			recipients: z.int(),
			price: z.number(),
			cost: z.number(),
			...MarketSplit.shape,
			/** Text to send back with the order. It changes with the prices in other countries. */
			abroadPrices: z.string(),
			walletBalance: z.number(),
			problems: z.array(Problem),
		}),
	}),
	/** Creates a campaign of the messages whose failure may be temporary, with the same template and values. */
	retryFailed: endpoint('POST /api/campaigns/{id}/retry', {
		...oneCampaign,
		effort: 'long',
		body: z.object({ requestId: z.optional(RequestId), ...ShownPrices }),
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
	/** Returns the size of a new group. A contact is in one group at most, so `moved` contacts would leave another. */
	groupEstimate: endpoint('GET /api/campaigns/{id}/group', {
		...oneCampaign,
		effort: 'heavy',
		query: z.object({ of: z.catch(RecipientGroup, 'failed') }),
		response: z.object({ recipients: z.int(), moved: z.int(), added: z.int() }),
	}),
	/** Creates a contact group of recipients. Recipients who are no contacts become contacts. */
	createGroup: endpoint('POST /api/campaigns/{id}/group', {
		...oneCampaign,
		effort: 'long',
		body: z.object({ name: Required('Name and type are required', 100), of: RecipientGroup }),
		response: z.object({ message: z.string(), group: z.object({ _id: RowId, name: z.string() }) }),
	}),
}
