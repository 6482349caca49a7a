import { useQuery } from '@tanstack/react-query'
import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { recipientOf, type Recipient } from '../sample-message.ts'
import { STANDARD_TAGS, type CampaignFields } from './fields/campaign-fields.ts'
import { firstRecipient } from './file/file-rows.ts'
import type { AudienceFile, FileAnalysis } from './file/use-audience-file.ts'
import { useEstimate, useFirstContact } from './use-estimate.ts'

export interface Audience {
	/** Undefined while none is chosen. */
	name: string | undefined
	/** The merge tags it has values for. */
	tags: readonly string[]
	estimate: CampaignEstimate | undefined
	/** What is in the file, for a campaign to one. */
	counts: FileAnalysis['counts'] | undefined
	/** The first of it. */
	recipient: Recipient | undefined
	/** The one of the estimate. */
	reading: ReturnType<typeof useEstimate>
}

/** Whom the campaign would reach, wherever they come from: contacts, a group or a file. */
export function useAudience(fields: CampaignFields, template: TemplateRow | undefined, file: AudienceFile): Audience {
	const { audienceType, selectedGroup } = fields
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const contact = useFirstContact(audienceType === 'group' ? selectedGroup : '').data?.contacts[0]
	const reading = useEstimate(fields, template)
	const estimate = reading.data
	const { analysis } = file
	const reached = audienceType === 'file' ? analysis : estimate
	// Money may be spent or come in while the form is filled in.
	const balance = useQuery(query(wallet.balance)).data?.walletBalance
	const current = reached && { ...reached, walletBalance: balance ?? reached.walletBalance }
	if (audienceType === 'file')
		return {
			name: file.file?.name,
			tags: analysis?.tags ?? STANDARD_TAGS,
			estimate: current,
			counts: analysis?.counts,
			recipient: analysis && firstRecipient(analysis),
			reading,
		}
	return {
		name: audienceType === 'all' ? 'All contacts' : groups?.find(({ _id }) => _id === selectedGroup)?.name,
		tags: STANDARD_TAGS,
		estimate: current,
		counts: undefined,
		recipient: contact && recipientOf(contact),
		reading,
	}
}
