import type { Format } from '#features/audiences/contract.ts'
import type { TagSource } from '#features/audiences/web/parts.tsx'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { NOTHING_CHOSEN } from '#features/header-files/match-contract.ts'
import { mergeTags } from '#features/templates/values.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { cutTo } from '#lib/text/characters.ts'
import { EMPTY_FIELDS, scheduleDatetime, type CampaignFields } from './fields/campaign-fields.ts'

/** Returns the text fields of the request. */
export function bodyOf(fields: CampaignFields, { requestId, columns, price, abroadPrices, written }: RequestFacts) {
	const { name, description, templateId, variables, audienceType, schedule, holdOutPercent } = fields
	const { recipientOrder, dailyStart, headerFiles } = fields
	const at = scheduleDatetime(fields)
	return {
		name: name.trim(),
		description: description.trim(),
		templateId,
		variables: JSON.stringify(variables),
		audienceType,
		schedule,
		timezone: INDIAN_TIME_ZONE,
		requestId,
		price: String(price),
		abroadPrices,
		...(audienceType === 'group' && { selectedGroup: fields.selectedGroup }),
		...(audienceType === 'segment' && { segmentId: fields.segmentId }),
		...(audienceType === 'file' && columns && { columns: JSON.stringify(columns) }),
		...(holdOutPercent !== '' && { holdOutPercent: String(holdOutPercent) }),
		...(recipientOrder !== 'list' && { recipientOrder }),
		...(dailyStart !== '' && { dailyStart }),
		...(headerFiles && { headerFiles: JSON.stringify(headerFiles) }),
		formats: JSON.stringify(formatsIn(variables, written)),
		...(at && { scheduleDatetime: at }),
	}
}

function formatsIn(variables: CampaignFields['variables'], written: RequestFacts['written']): Record<string, Format> {
	const used = mergeTags(variables).flatMap((tag) => {
		const column = written.get(tag)
		return column ? [[tag, column.format] as const] : []
	})
	return Object.fromEntries(used)
}

interface RequestFacts {
	requestId: string
	/** The columns of the file. */
	columns: Columns | null
	/** The formats of columns or fields, by tag. */
	written: TagSource['written']
	/** Price of a message in rupees, as shown. */
	price: number
	/** `abroadPrices` of the estimate that was shown. */
	abroadPrices: string
}

const MAX_NAME_LENGTH = 200

/**
 * Returns the form with the values of an earlier campaign, to be sent now. Files are missing, and a deleted template
 * or group is empty.
 */
export function fieldsFrom(campaign: CampaignDetail): CampaignFields {
	const { name, description, templateId, variables, audienceType, selectedGroup } = campaign
	return {
		...EMPTY_FIELDS,
		name: `${cutTo(name, MAX_NAME_LENGTH - 7)} (copy)`,
		description: description ?? '',
		templateId: templateId ?? '',
		variables,
		audienceType,
		selectedGroup: selectedGroup ?? '',
		segmentId: campaign.segmentId ?? '',
		holdOutPercent: campaign.holdOutPercent ?? '',
		recipientOrder: campaign.recipientOrder,
		dailyStart: campaign.dailyStart ?? '',
		headerFiles: campaign.hasPersonFiles ? NOTHING_CHOSEN : null,
	}
}
