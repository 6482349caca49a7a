import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import type { ReplyOut } from '#lib/endpoint.ts'
import { query } from '#lib/web/query.ts'
import type { CampaignFields } from './campaign-fields.ts'

export type Estimate = ReplyOut<typeof campaigns.audience>

/** In rupees. */
export interface Shortage {
	needed: number
	available: number
}

export function shortageOf(estimate: Estimate | undefined): Shortage | null {
	if (!estimate || estimate.cost <= estimate.walletBalance) return null
	return { needed: estimate.cost, available: estimate.walletBalance }
}

/** The reading of what a campaign would reach and cost. */
export function audienceQuery({ audienceType, selectedGroup }: CampaignFields, template: TemplateRow | undefined) {
	return query(campaigns.audience, {
		query: {
			audienceType,
			...(audienceType === 'group' && selectedGroup && { selectedGroup }),
			...(template && { templateId: template._id }),
		},
	})
}

export function useEstimate(fields: CampaignFields, template: TemplateRow | undefined): Estimate | undefined {
	return useQuery({ ...audienceQuery(fields, template), placeholderData: keepPreviousData }).data
}

/** How many contacts there are, in all or in a group, and the first of them. */
export function useFirstContact(group: string) {
	return useQuery(query(contacts.list, { query: { limit: 1, ...(group && { group }) } }))
}
