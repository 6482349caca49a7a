import type { CampaignEstimate, CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { problem } from '#features/campaigns/problems.ts'
import type { Shortage } from '#features/payments/web/missing-money.tsx'
import { problem as owedProblem } from '#features/wallet/problems.ts'
import type { CampaignFields } from './fields/campaign-fields.ts'

export function shortageOf(estimate: Pick<CampaignEstimate, 'cost' | 'walletBalance'> | undefined): Shortage | null {
	if (!estimate || estimate.cost <= estimate.walletBalance) return null
	return { needed: estimate.cost, available: estimate.walletBalance }
}

/**
 * Returns the problems to show, without those of fields that are not filled in yet: an empty form is no mistake. Always
 * leaves out the wallet, because the shortage shows both amounts.
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

/** Returns the reason why a form that is filled in is not sent; null when it can be sent. */
export function refusalOf(estimate: CampaignEstimate): string | null {
	if (estimate.owed > 0) return owedProblem('money_owed', { owed: estimate.owed }).message
	if (shortageOf(estimate)) return 'Insufficient balance'
	// The amounts show a shortage, and may be newer than the estimate.
	const blocking = estimate.problems.find(({ kind, isBlocking }) => isBlocking && kind !== 'wallet')
	if (blocking) return blocking.message
	return estimate.recipients === 0 ? problem('recipients_missing').message : null
}
