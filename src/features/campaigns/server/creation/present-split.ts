import type { MarketSplit } from '#features/campaigns/preflight-contract.ts'
import { HOME_MARKET, marketName } from '#features/pricing/markets.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { OrderPlan } from './plan-order.ts'

/** Returns the split of a plan's recipients by market. It is empty while all of them cost the home price. */
export function presentSplit({
	prices,
	unpriced,
	isHighestCost,
}: Pick<OrderPlan, 'prices' | 'unpriced' | 'isHighestCost'>): MarketSplit {
	const isSplit = unpriced.length > 0 || prices.some(({ market }) => market !== HOME_MARKET)
	return {
		markets: isSplit
			? prices.map(({ market, recipients, pricePaise }) => ({
					market: marketName(market),
					recipients,
					price: rupeesFromPaise(pricePaise),
				}))
			: [],
		unpriced: unpriced.map((group) => ({ ...group, market: marketName(group.market) })),
		isHighestCost,
	}
}
