import type { CampaignEstimate, CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { problem } from '#features/campaigns/problems.ts'
import type { CampaignFields } from './fields/campaign-fields.ts'

/** In rupees. */
export interface Shortage {
	needed: number
	available: number
}

export function shortageOf(estimate: Pick<CampaignEstimate, 'cost' | 'walletBalance'> | undefined): Shortage | null {
	if (!estimate || estimate.cost <= estimate.walletBalance) return null
	return { needed: estimate.cost, available: estimate.walletBalance }
}

/**
 * What stands in the way of a campaign, without what its form has not been asked yet: an empty form is not a mistake. The
 * wallet is left out where the shortage says it with both amounts.
 */
export function shownProblems(
	problems: readonly CampaignProblem[],
	fields: CampaignFields,
	isFilledIn: boolean,
): CampaignProblem[] {
	const isOpen: Partial<Record<CampaignProblem['kind'], boolean>> = {
		template: fields.templateId === '',
		variables: !isFilledIn,
		audience:
			(fields.audienceType === 'group' && fields.selectedGroup === '') ||
			(fields.audienceType === 'segment' && fields.segmentId === ''),
		wallet: true,
		schedule: fields.schedule === 'later' && !(fields.date && fields.time),
	}
	return problems.filter(({ kind }) => !isOpen[kind])
}

/** A send of more messages is asked about, with number, cost, list and time. */
const MAX_UNASKED = 20

export function asksBefore(messages: number): boolean {
	return messages > MAX_UNASKED
}

/** Returns why a form that is filled in is not sent; null when it can be. */
export function refusalOf(estimate: CampaignEstimate): string | null {
	if (shortageOf(estimate)) return 'Insufficient balance'
	// That money is missing is known from the amounts, which may be newer.
	const blocking = estimate.problems.find(({ kind, isBlocking }) => isBlocking && kind !== 'wallet')
	if (blocking) return blocking.message
	return estimate.recipients === 0 ? problem('recipients_missing').message : null
}
