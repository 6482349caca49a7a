import { useQuery } from '@tanstack/react-query'
import { segments as segmentCalls } from '#features/audiences/segment-contract.ts'
import { formatOfField, formatsFor, formatValue, kindOfField, type Recipient } from '#features/audiences/values.ts'
import { tagsBesideRupees, type TagSource, type WrittenColumn } from '#features/audiences/web/parts.tsx'
import { recipientOf } from '#features/audiences/web/sample-message.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { FieldRow } from '#features/contacts/custom-fields.ts'
import { useCustomFields } from '#features/contacts/web/custom-fields.ts'
import { marketName, marketOf } from '#features/pricing/markets.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { tagsOfContacts, type CampaignFields } from './fields/campaign-fields.ts'
import { columnTags, recipientsIn } from './file/file-rows.ts'
import { leftOutRows, type LeftOutRows } from './file/left-out.ts'
import type { AudienceFile, FileAnalysis } from './file/use-audience-file.ts'
import {
	useEstimate,
	useFirstContacts,
	useFirstOfSegment,
	withControlGroup,
	type OrderEstimate,
} from './use-estimate.ts'

export interface Audience extends TagSource {
	/** Undefined while no audience is chosen. */
	name: string | undefined
	/** The merge tags of the audience. `fields` has the tags that the form offers. */
	tags: readonly string[]
	estimate: OrderEstimate | undefined
	/** Rows of a file that are left out; undefined without a file. */
	leftOut: LeftOutRows | undefined
	/** The first recipients, as many as the preview shows. */
	recipients: readonly Recipient[]
	/** The query of the estimate. */
	reading: ReturnType<typeof useEstimate>
}

const LOOKED_AT = 10

/** Returns the audience of the form: contacts, a group, a segment or a file. */
export function useAudience(fields: CampaignFields, template: TemplateRow | undefined, file: AudienceFile): Audience {
	const { audienceType, selectedGroup, segmentId } = fields
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const segments = useQuery(query(segmentCalls.list)).data?.segments
	const isSegment = audienceType === 'segment'
	const listed = useFirstContacts(audienceType === 'group' ? selectedGroup : '').data?.contacts
	const ofSegment = useFirstOfSegment(isSegment ? segmentId : '').data?.contacts
	const first = (isSegment ? ofSegment : listed) ?? []
	const reading = useEstimate(fields, template)
	const estimate = reading.data
	const { analysis } = file
	const own = useCustomFields().fields
	const reached = audienceType === 'file' ? analysis : estimate
	// The balance may change while the form is filled in.
	const balance = useQuery(query(wallet.balance)).data
	const { walletBalance, owed } = balance ?? reached ?? { walletBalance: 0, owed: 0 }
	const current = reached && withControlGroup({ ...reached, walletBalance, owed }, fields)
	if (audienceType === 'file') {
		const typed = analysis ? recipientsIn(analysis) : []
		const written = writtenIn(analysis?.formats ?? {}, { typed, fields, template })
		const recipients = typed.slice(0, LOOKED_AT).map((recipient) => asWritten(recipient, written))
		return {
			name: file.file?.name,
			tags: analysis?.tags ?? CONTACT_TAGS,
			written,
			gaps: analysis?.gaps ?? {},
			fields: analysis ? columnTags(analysis) : [],
			estimate: current,
			leftOut: analysis && leftOutRows(analysis),
			recipients,
			recipient: recipients[0],
			reading,
		}
	}
	const isChosen = audienceType === 'all' || (isSegment ? segmentId : selectedGroup) !== ''
	const isMarketing = template?.category === 'MARKETING'
	const unpriced = new Set(estimate?.unpriced.map(({ market }) => market))
	const typed = first
		.filter(({ optedOut, number }) => {
			const isLeftOut = (isMarketing && optedOut) || unpriced.has(marketName(marketOf(number)))
			return isChosen && !isLeftOut
		})
		.map((contact) => recipientOf(contact, own))
	const written = writtenIn(columnsOf(own), { typed, fields, template })
	const recipients = typed.slice(0, LOOKED_AT).map((recipient) => asWritten(recipient, written))
	const tags = tagsOfContacts(own)
	return {
		name:
			audienceType === 'all'
				? 'All contacts'
				: isSegment
					? segments?.find(({ _id }) => _id === segmentId)?.name
					: groups?.find(({ _id }) => _id === selectedGroup)?.name,
		tags,
		written,
		gaps: estimate?.gaps ?? {},
		fields: tags,
		estimate: current,
		leftOut: undefined,
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

/**
 * Returns the formats of columns of numbers and dates: as chosen, or the most suitable. A template may have its own sign
 * for rupees.
 */
function writtenIn(
	formats: FileAnalysis['formats'],
	{ typed, fields, template }: WrittenFacts,
): Map<string, WrittenColumn> {
	const besideRupees = template ? tagsBesideRupees(template.components, fields.variables) : []
	const columns = Object.entries(formats).map(([tag, { kind, format }]) => {
		const usual = format === 'rupees' && besideRupees.includes(tag) ? 'grouped' : format
		const sample = typed.find((recipient) => recipient[tag])?.[tag]
		const chosen = formatsFor(kind).find((one) => one === fields.formats[tag])
		return [tag, { kind, format: chosen ?? usual, typed: sample }] as const
	})
	return new Map(columns)
}

/** Returns the columns of numbers and dates among custom fields. */
function columnsOf(own: readonly FieldRow[]): FileAnalysis['formats'] {
	const columns = own.flatMap((field) => {
		const kind = kindOfField(field.type)
		return kind ? [[field.name, { kind, format: formatOfField(field, {}) }] as const] : []
	})
	return Object.fromEntries(columns)
}

function asWritten(typed: Recipient, written: ReadonlyMap<string, WrittenColumn>): Recipient {
	return Object.fromEntries(
		Object.entries(typed).map(([tag, value]) => [
			tag,
			value && formatValue(value, written.get(tag)?.format ?? 'typed'),
		]),
	)
}
