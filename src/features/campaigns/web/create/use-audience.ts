import { useQuery } from '@tanstack/react-query'
import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { formatsFor, formatValue, type Recipient } from '#features/campaigns/recipient-values.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { recipientOf } from '../sample-message.ts'
import { STANDARD_TAGS, type CampaignFields } from './fields/campaign-fields.ts'
import { tagsBesideRupees } from './fields/likely-values.ts'
import type { TagSource, WrittenColumn } from './fields/merge-tags.ts'
import { columnTags, recipientsIn } from './file/file-rows.ts'
import type { AudienceFile, FileAnalysis } from './file/use-audience-file.ts'
import { useEstimate, useFirstContacts } from './use-estimate.ts'

export interface Audience extends TagSource {
	/** Undefined while none is chosen. */
	name: string | undefined
	/** The merge tags it has values for; `fields` are those to choose from. */
	tags: readonly string[]
	estimate: CampaignEstimate | undefined
	/** What is in the file, for a campaign to one. */
	counts: FileAnalysis['counts'] | undefined
	/** The first of it, as many as are looked at before it is sent. */
	recipients: readonly Recipient[]
	/** The one of the estimate. */
	reading: ReturnType<typeof useEstimate>
}

const LOOKED_AT = 3

/** Whom the campaign would reach, wherever they come from: contacts, a group or a file. */
export function useAudience(fields: CampaignFields, template: TemplateRow | undefined, file: AudienceFile): Audience {
	const { audienceType, selectedGroup } = fields
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const first = useFirstContacts(audienceType === 'group' ? selectedGroup : '').data?.contacts ?? []
	const reading = useEstimate(fields, template)
	const estimate = reading.data
	const { analysis } = file
	const reached = audienceType === 'file' ? analysis : estimate
	// Money may be spent or come in while the form is filled in.
	const balance = useQuery(query(wallet.balance)).data?.walletBalance
	const current = reached && { ...reached, walletBalance: balance ?? reached.walletBalance }
	if (audienceType === 'file') {
		const typed = analysis ? recipientsIn(analysis) : []
		const written = writtenIn(analysis, { typed, fields, template })
		const recipients = typed.slice(0, LOOKED_AT).map((recipient) => asWritten(recipient, written))
		return {
			name: file.file?.name,
			tags: analysis?.tags ?? STANDARD_TAGS,
			isFile: true,
			written,
			gaps: analysis?.gaps ?? {},
			fields: analysis ? columnTags(analysis) : [],
			estimate: current,
			counts: analysis?.counts,
			recipients,
			recipient: recipients[0],
			reading,
		}
	}
	const isChosen = audienceType === 'all' || selectedGroup !== ''
	const isMarketing = template?.category === 'MARKETING'
	const recipients = first
		.filter(({ optedOut }) => isChosen && !(isMarketing && optedOut))
		.slice(0, LOOKED_AT)
		.map(recipientOf)
	return {
		name: audienceType === 'all' ? 'All contacts' : groups?.find(({ _id }) => _id === selectedGroup)?.name,
		tags: STANDARD_TAGS,
		isFile: false,
		written: new Map(),
		gaps: estimate?.gaps ?? {},
		fields: STANDARD_TAGS,
		estimate: current,
		counts: undefined,
		recipients,
		recipient: recipients[0],
		reading,
	}
}

interface WrittenFacts {
	typed: readonly Recipient[]
	fields: CampaignFields
	template: TemplateRow | undefined
}

/** How the columns of numbers and dates are written: as chosen, else as suits them. The template may have its own sign for rupees. */
function writtenIn(
	analysis: FileAnalysis | undefined,
	{ typed, fields, template }: WrittenFacts,
): Map<string, WrittenColumn> {
	const besideRupees = template ? tagsBesideRupees(template.components, fields.variables) : []
	const columns = Object.entries(analysis?.formats ?? {}).map(([tag, { kind, format }]) => {
		const usual = format === 'rupees' && besideRupees.includes(tag) ? 'grouped' : format
		const sample = typed.find((recipient) => recipient[tag])?.[tag]
		const chosen = formatsFor(kind).find((one) => one === fields.formats[tag])
		return [tag, { kind, format: chosen ?? usual, typed: sample }] as const
	})
	return new Map(columns)
}

function asWritten(typed: Recipient, written: ReadonlyMap<string, WrittenColumn>): Recipient {
	return Object.fromEntries(
		Object.entries(typed).map(([tag, value]) => [
			tag,
			value && formatValue(value, written.get(tag)?.format ?? 'typed'),
		]),
	)
}
