import { controlGroupSize } from '#features/audiences/rules.ts'
import type { LeavingOut, Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import type { Recipients, RecipientSource } from '#features/audiences/server/recipients/recipient-sources.ts'
import { readCap } from '#features/audiences/server/service.ts'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { problem } from '#features/campaigns/problems.ts'
import type { CampaignKind } from '#features/delivery/rules.ts'
import { isMarketing } from '#features/delivery/server/message/price.ts'
import type { Component } from '#features/templates/contract.ts'
import { mergeTags, type Variables } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { AppError } from '#lib/app-error.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** A reason why an order cannot be written. */
export interface PlanProblem extends Pick<CampaignProblem, 'kind' | 'message'> {
	/** The error that refuses the order. */
	refusal: AppError
}

/** The parts of an order that determine its recipients and its cost. */
export interface PlannedOrder<R extends Reach = Reach> {
	/** `campaign` when left out. Only campaigns are subject to the account's frequency rule. */
	kind?: CampaignKind
	template: { category: string; components: readonly Component[] }
	variables: Variables
	/** The order of the recipients' values when they are copied; the merge tags of `variables` when left out. */
	mergeTags?: string[]
	source: RecipientSource<R>
	/** Price of one message. */
	pricePaise: number
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
	/** The percentage of the recipients in the control group. */
	controlGroupPercent?: number | undefined
	/** The campaign of the order while it is being written: the plan then locks what it reads. */
	campaignId?: number
	/** Returns the error that refuses this number of recipients, control group included; null for an allowed number. */
	sizeRefusal?: (recipients: number) => AppError | null
}

/** Recipients whose messages have the same price. */
export interface PriceGroup {
	recipients: number
	pricePaise: number
}

/** The recipients and the cost of an order at present. */
export interface OrderPlan<R extends Reach = Reach> {
	recipients: OpenedRecipients<R>
	reach: R
	/** The recipients who get a message, by price. Their sum is the hold. */
	prices: PriceGroup[]
	availablePaise: number
	/** The problems by precedence: the first one refuses the order. */
	problems: PlanProblem[]
}

/** Recipients with the rules by which the order leaves some of them out. */
export type OpenedRecipients<R extends Reach = Reach> = Recipients<R> & { rules: LeavingOut }

/**
 * Plans an order: measures its recipients and its cost, and collects the problems that keep it from being written.
 * Estimates and previews present the plan; for live recipients `writeOrder` plans again in its own transaction, and
 * then holds exactly these prices.
 */
export async function planOrder<R extends Reach>(
	sql: Sql,
	accountId: AccountId,
	order: PlannedOrder<R>,
): Promise<OrderPlan<R>> {
	const { template, variables } = order
	const recipients = await openRecipients(sql, accountId, order)
	const reach = await recipients.measure(sql, accountId, {
		...recipients.rules,
		components: template.components,
		variables,
	})
	const count = reach.contacts - reach.optedOut - reach.capped
	const prices = pricesOf(order, count)
	const { availablePaise } = await getWallet(sql, accountId)
	const problems = [...new Set(reach.errors)].map((message) =>
		problemOf('variables', problem('values_unfit', { reason: message })),
	)
	const sizeRefusal = count === 0 ? noRecipients() : order.sizeRefusal?.(count)
	if (sizeRefusal) problems.push(problemOf('audience', sizeRefusal))
	const costPaise = costOf(prices)
	if (costPaise > availablePaise) problems.push(problemOf('wallet', insufficientBalance(costPaise, availablePaise)))
	return { recipients, reach, prices, availablePaise, problems }
}

/** Opens an order's recipients, under locks when its campaign is being written. */
export async function openRecipients<R extends Reach>(
	sql: Sql,
	accountId: AccountId,
	order: PlannedOrder<R>,
): Promise<OpenedRecipients<R>> {
	const { opensAt, campaignId } = order
	const opening = {
		isMarketing: isMarketing(order.template.category),
		opensAt,
		...(campaignId !== undefined && { campaignId }),
	}
	const cap = (order.kind ?? 'campaign') === 'campaign' ? await readCap(sql, accountId, opening) : null
	const recipients = await order.source.open(sql, accountId, {
		mergeTags: mergeTagsOf(order),
		isLocked: campaignId !== undefined,
	})
	return { ...recipients, rules: { isMarketing: opening.isMarketing, cap } }
}

/** Returns the order of the values in the messages of an order. */
export function mergeTagsOf(order: Pick<PlannedOrder, 'mergeTags' | 'variables'>): string[] {
	return order.mergeTags ?? mergeTags(order.variables)
}

/** Returns the price groups of an order to this number of recipients, without its control group. */
export function pricesOf(
	{ pricePaise, controlGroupPercent }: Pick<PlannedOrder, 'pricePaise' | 'controlGroupPercent'>,
	recipients: number,
): PriceGroup[] {
	return [{ recipients: recipients - controlGroupSize(recipients, controlGroupPercent), pricePaise }]
}

/** Returns the sum of all messages, in paise. */
export function costOf(prices: readonly PriceGroup[]): number {
	return prices.reduce((sum, { recipients, pricePaise }) => sum + recipients * pricePaise, 0)
}

export function problemOf(kind: PlanProblem['kind'], refusal: AppError, message = refusal.message): PlanProblem {
	return { kind, message, refusal }
}

/** Throws the first problem's error, if there is a problem. */
export function refuseProblems([first]: readonly PlanProblem[]): void {
	if (first) throw first.refusal
}

export function noRecipients(): AppError {
	return problem('recipients_missing')
}

/** Returns the 402 that names both amounts. */
export function insufficientBalance(neededPaise: number, availablePaise: number): AppError {
	const needed = rupeesFromPaise(neededPaise)
	const available = rupeesFromPaise(availablePaise)
	return problem('balance_short_for_campaign', { needed, available })
}
