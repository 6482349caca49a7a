import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { controlGroupSize, isControlGroupPercent } from '#features/audiences/rules.ts'
import { segments } from '#features/audiences/segment-contract.ts'
import { campaignPreflight, type CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { withoutControlGroup } from '#features/campaigns/rules.ts'
import { contacts } from '#features/contacts/contract.ts'
import { afterQuietHours } from '#features/limits/rules.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { opensAt, scheduleDatetime, type CampaignFields } from './fields/campaign-fields.ts'

/** Milliseconds without typing after which the server is asked. */
export const TYPING_MS = 400

/** Returns the query for reach, cost and problems of a campaign to contacts. */
export function estimateQuery(fields: CampaignFields, template: TemplateRow | undefined) {
	const { audienceType, selectedGroup, segmentId, variables, schedule, dailyStart, headerFiles } = fields
	const at = scheduleDatetime(fields)
	const body = {
		audienceType: audienceType === 'file' ? ('all' as const) : audienceType,
		...(audienceType === 'group' && selectedGroup && { selectedGroup }),
		...(audienceType === 'segment' && segmentId && { segmentId }),
		...(template && { templateId: template._id, variables }),
		...(template && headerFiles?.set && { headerFiles }),
		// A time that is not chosen yet counts as now.
		schedule: at ? schedule : ('now' as const),
		...(at && { scheduleDatetime: at }),
		...(dailyStart !== '' && { dailyStart }),
		timezone: INDIAN_TIME_ZONE,
	}
	return queryOptions({
		queryKey: [campaignPreflight.estimate.path, body],
		queryFn: ({ signal }) => call(campaignPreflight.estimate, { body, signal }),
	})
}

/** Returns the query of the estimate. Asks for none for a file, whose analysis has the same figures. */
export function useEstimate(fields: CampaignFields, template: TemplateRow | undefined) {
	const [settled] = useDebouncedValue(fields, TYPING_MS)
	const isFile = fields.audienceType === 'file'
	const reading = useQuery({
		...estimateQuery(settled, template),
		placeholderData: keepPreviousData,
		enabled: !isFile,
	})
	return isFile ? { ...reading, data: undefined, isError: false } : reading
}

/** The reach and cost of a campaign without its control group. */
export interface OrderEstimate extends CampaignEstimate {
	controlGroup: number
}

export function withControlGroup(estimate: CampaignEstimate, { holdOutPercent }: CampaignFields): OrderEstimate {
	const controlGroup = controlGroupSize(
		estimate.recipients,
		isControlGroupPercent(holdOutPercent) ? holdOutPercent : null,
	)
	const recipients = estimate.recipients - controlGroup
	const { messagesPerSecond, durationSeconds, endsAt } = estimate
	const groups =
		estimate.markets.length > 0
			? estimate.markets
			: [{ recipients: estimate.recipients, price: estimate.price, market: '' }]
	const paid = withoutControlGroup(groups, { size: controlGroup, first: 'cheapest' })
	const lowest = withoutControlGroup(groups, { size: controlGroup, first: 'dearest' })
	const savedSeconds = messagesPerSecond === null ? 0 : Math.floor(controlGroup / messagesPerSecond)
	return {
		...estimate,
		controlGroup,
		recipients,
		markets: estimate.markets.length > 0 ? paid.filter((group) => group.recipients > 0) : [],
		cost: rupeesFromPaise(paiseOf(paid)),
		isHighestCost: paiseOf(lowest) < paiseOf(paid),
		durationSeconds: durationSeconds && durationSeconds - savedSeconds,
		endsAt: endsAt && new Date(Date.parse(endsAt) - savedSeconds * 1000).toISOString(),
	}
}

/** Returns the sum of recipients' prices in paise. */
function paiseOf(groups: readonly { recipients: number; price: number }[]): number {
	return groups.reduce((sum, { recipients, price }) => sum + (paiseFromRupees(price) ?? 0) * recipients, 0)
}

interface Times {
	/** Null for now. */
	startsAt: string | null
	isAfterQuietHours: boolean
	/** Null when unknown. */
	endsAt: string | null
}

/** Returns the times at which a campaign would begin and end. */
export function timesOf(
	fields: CampaignFields,
	{ durationSeconds, endsAt, quiet }: Pick<CampaignEstimate, 'durationSeconds' | 'endsAt' | 'quiet'>,
): Times {
	const at = opensAt(fields)
	const wished = at ? Date.parse(at) : Date.now()
	const begins = afterQuietHours(wished, quiet)
	const isAfterQuietHours = begins > wished
	if (!at && !isAfterQuietHours) return { startsAt: null, isAfterQuietHours, endsAt }
	const ends = durationSeconds === null ? null : new Date(begins + durationSeconds * 1000).toISOString()
	return { startsAt: new Date(begins).toISOString(), isAfterQuietHours, endsAt: ends }
}

/** Returns the number of contacts, of the account or of a group, and the first ten. Some may have opted out. */
export function useFirstContacts(group: string) {
	return useQuery(query(contacts.list, { query: { limit: 10, ...(group && { group }) } }))
}

/** Returns the latest contacts of a segment, when one is chosen. */
export function useFirstOfSegment(id: string) {
	return useQuery({ ...query(segments.latest, { params: { id } }), enabled: id !== '' })
}
