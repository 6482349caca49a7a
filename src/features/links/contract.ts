import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id } from '#lib/fields.ts'

/** Calls about the clicks on counted links. */
export const campaignClicks = {
	/** Returns the counted links of a campaign in the order of its template, those of its cards last. */
	clicks: endpoint('GET /api/campaigns/{id}/clicks', {
		access: 'manager',
		params: z.object({ id: Id }),
		response: z.object({
			buttons: z.array(
				z.object({
					/** Position of the card from 1; null for a button of the template itself. */
					card: z.nullable(z.int()),
					text: z.string(),
					/** Recipients who clicked, and all their clicks. Of one recipient, at most 100 clicks count. */
					people: z.int(),
					clicks: z.int(),
				}),
			),
		}),
	}),
}
