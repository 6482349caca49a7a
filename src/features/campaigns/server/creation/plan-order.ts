import { controlGroupSize } from '#features/audiences/rules.ts'
import type { LeavingOut, Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import type { Recipients, RecipientSource } from '#features/audiences/server/recipients/recipient-sources.ts'
import { readCap } from '#features/audiences/server/service.ts'
import type { CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { problem } from '#features/campaigns/problems.ts'
import { withoutControlGroup, type ShownPrices } from '#features/campaigns/rules.ts'
import type { RecipientOrder } from '#features/delivery/contract.ts'
import { isMarketing, type CampaignKind } from '#features/delivery/rules.ts'
import {
	countByPrice,
	type PricedMarket,
	type RowPrices,
} from '#features/delivery/server/orders/message-price-queries.ts'
import type { MatchedReach } from '#features/header-files/server/match/own-files.ts'
import { HOME_MARKET, marketName, type Market } from '#features/pricing/markets.ts'
import type { AbroadPrices, MarketPrices, PriceRefusal } from '#features/pricing/rules.ts'
import { NO_PRICE } from '#features/pricing/server/market-column.ts'
import { abroadDigest } from '#features/pricing/server/service.ts'
import type { Component } from '#features/templates/contract.ts'
import { mergeTags, type Variables } from '#features/templates/values.ts'
import { readSpendable } from '#features/wallet/server/owed.ts'
import { AppError } from '#lib/app-error.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
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
	/** Price of one message in the home market, which the campaign stores. */
	pricePaise: number
	/** Prices in other markets; null while all markets cost the home price. Recipients without a price are left out. */
	abroadPrices: AbroadPrices | null
	/** True to refund messages that WhatsApp does not charge; false when absent. */
	passesOnFree?: boolean
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
	/** The percentage of the recipients in the control group. */
	controlGroupPercent?: number | undefined
	recipientOrder?: RecipientOrder | undefined
	/** The time in India from which the campaign continues on each day after its first. */
	dailyStart?: string | undefined
	/** Id of the campaign that is being written for the order. With an id, the plan locks the rows that it reads. */
	campaignId?: number
	/** Returns the error that refuses this number of recipients, control group included; null for an allowed number. */
	sizeRefusal?: (recipients: number) => AppError | null
}

/** Recipients of one market whose messages have the same price. */
export interface PriceGroup {
	market: Market
	recipients: number
	pricePaise: number
}

/** Recipients who are left out since their market has no price. */
export interface UnpricedGroup {
	market: Market
	recipients: number
	reason: PriceRefusal
}

/** The recipients and the cost of an order at present. */
export interface OrderPlan<R extends Reach = Reach> {
	recipients: OpenedRecipients<R>
	reach: R
	/**
	 * The recipients who get a message, by market and price. Their sum is the hold; with a control group and several
	 * prices it is the most that the hold can be.
	 */
	prices: PriceGroup[]
	/** The recipients who are left out since their market has no price. */
	unpriced: UnpricedGroup[]
	/** True when the hold may be less than the sum of `prices`. */
	isHighestCost: boolean
	availablePaise: number
	owedPaise: number
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
	const { contacts, optedOut, capped, withoutFile = 0 }: MatchedReach = reach
	const addressed = contacts - optedOut - capped - withoutFile
	const { groups, unpriced } = await groupByPrice(sql, accountId, { order, recipients, addressed })
	const count = countOf(groups)
	const prices = pricesOf(order, groups, 'cheapest')
	const { availablePaise, owedPaise, refusal: owed } = await readSpendable(sql, accountId)
	const problems = [...new Set(reach.errors)].map((message) =>
		problemOf('variables', problem('values_unfit', { reason: message })),
	)
	if (owed) problems.push(problemOf('wallet', owed))
	const sizeRefusal = count === 0 ? noRecipients(unpriced) : order.sizeRefusal?.(count)
	if (sizeRefusal) problems.push(problemOf('audience', sizeRefusal))
	// When the control group decides whether the money suffices, `writeOrder` decides by the hold.
	const lowestPaise = costOf(pricesOf(order, groups, 'dearest'))
	if (lowestPaise > availablePaise)
		problems.push(problemOf('wallet', insufficientBalance(costOf(prices), availablePaise)))
	const isHighestCost = lowestPaise < costOf(prices)
	return { recipients, reach, prices, unpriced, isHighestCost, availablePaise, owedPaise, problems }
}

/** Groups the recipients of an order by market and price, control group included. Selects them only if prices differ. */
async function groupByPrice(
	sql: Sql,
	accountId: AccountId,
	{
		order,
		recipients,
		addressed,
	}: { order: PlannedOrder; recipients: Pick<OpenedRecipients, 'select' | 'rules'>; addressed: number },
): Promise<{ groups: PriceGroup[]; unpriced: UnpricedGroup[] }> {
	const prices = rowPricesOf(order)
	if (!prices)
		return { groups: [{ market: HOME_MARKET, recipients: addressed, pricePaise: order.pricePaise }], unpriced: [] }
	const sums = new Map<string, PricedMarket>()
	for await (const { rows } of recipients.select(sql, accountId, {
		...recipients.rules,
		mergeTags: mergeTagsOf(order),
	}))
		for (const one of await countByPrice(sql, accountId, { rows, prices })) {
			const key = `${one.market} ${one.paise}`
			sums.set(key, { ...one, recipients: one.recipients + (sums.get(key)?.recipients ?? 0) })
		}
	const counted = [...sums.values()].toSorted((a, b) => b.recipients - a.recipients || a.paise - b.paise)
	return {
		groups: counted.flatMap(({ paise, ...one }) => (paise === NO_PRICE ? [] : [{ ...one, pricePaise: paise }])),
		unpriced: counted.flatMap(({ market, recipients: people }) => {
			const price = prices.abroadPrices.get(market)
			return typeof price === 'string' ? [{ market, recipients: people, reason: price }] : []
		}),
	}
}

/** Returns the prices by which the rows of an order are written; null when each costs the campaign's price. */
export function rowPricesOf({
	pricePaise,
	abroadPrices,
}: Pick<PlannedOrder, 'pricePaise' | 'abroadPrices'>): RowPrices | null {
	return abroadPrices && { pricePaise, abroadPrices }
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
	const { pricePaise, abroadPrices } = order
	return { ...recipients, rules: { isMarketing: opening.isMarketing, cap, prices: { pricePaise, abroadPrices } } }
}

/** Returns the order of the values in the messages of an order. */
export function mergeTagsOf(order: Pick<PlannedOrder, 'mergeTags' | 'variables'>): string[] {
	return order.mergeTags ?? mergeTags(order.variables)
}

/** Returns the groups without an order's control group, at the highest or the lowest cost that the rest can have. */
function pricesOf(
	{ controlGroupPercent }: Pick<PlannedOrder, 'controlGroupPercent'>,
	groups: readonly PriceGroup[],
	first: 'cheapest' | 'dearest',
): PriceGroup[] {
	const size = controlGroupSize(countOf(groups), controlGroupPercent)
	const priced = groups.map((group) => ({ ...group, price: group.pricePaise }))
	return withoutControlGroup(priced, { size, first })
}

export function countOf(groups: readonly { recipients: number }[]): number {
	return groups.reduce((sum, { recipients }) => sum + recipients, 0)
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

/** Returns the 400 for an order without recipients, which names the markets without a price. */
export function noRecipients(unpriced: readonly UnpricedGroup[] = []): AppError {
	if (unpriced.length === 0) return problem('recipients_missing')
	return problem('recipients_unpriced', { markets: unpriced.map(({ market }) => marketName(market)) })
}

/** Returns the 402 that names both amounts. */
export function insufficientBalance(neededPaise: number, availablePaise: number): AppError {
	const needed = rupeesFromPaise(neededPaise)
	const available = rupeesFromPaise(availablePaise)
	return problem('balance_short_for_campaign', { needed, available })
}

/** Throws a 409 when the prices of a campaign have changed since the screen showed them. */
export function refuseOtherPrices(shown: ShownPrices, prices: MarketPrices): void {
	const { pricePaise } = prices
	if (isOtherPrice(shown, pricePaise)) throw problem('price_changed', { price: rupeesFromPaise(pricePaise) })
	if (shown.abroadPrices !== undefined && shown.abroadPrices !== abroadDigest(prices))
		throw problem('abroad_prices_changed')
}

/** Throws a 409 when the price of a single message has changed since the screen showed it. */
export function refuseOtherPrice(shown: Pick<ShownPrices, 'price'>, pricePaise: number): void {
	if (isOtherPrice(shown, pricePaise)) throw problem('message_price_changed', { price: rupeesFromPaise(pricePaise) })
}

function isOtherPrice({ price }: Pick<ShownPrices, 'price'>, pricePaise: number): boolean {
	return price !== undefined && paiseFromRupees(price) !== pricePaise
}
