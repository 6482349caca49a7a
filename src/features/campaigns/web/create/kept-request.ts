import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'
import type { CampaignFields } from './fields/campaign-fields.ts'

interface KeptRequest {
	/** The id under which an order was sent whose answer has not come. */
	id: string
	/** What was ordered. */
	order: string
}

const NONE: KeptRequest = { id: '', order: '' }

/**
 * Names the order of a form so that the same one, sent again after a crash or a new sign-in, is not carried out twice: its
 * fields came back as a draft, and its first answer may have been lost.
 */
export function keptRequest(draftName: string) {
	const store = draftOf(`${draftName}:request`)
	return {
		/** Call it right before sending. `freshId` is for an order that has not been sent before. */
		idFor(fields: CampaignFields, freshId: string): string {
			const order = JSON.stringify(fields)
			const kept = likeForm(store.read(), NONE)
			const id = kept?.order === order ? kept.id : freshId
			store.write({ id, order }, NONE)
			return id
		},
		answered: () => store.clear(),
	}
}
