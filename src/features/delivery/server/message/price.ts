import { problem } from '#features/delivery/problems.ts'
import { marketName, marketOf } from '#features/pricing/markets.ts'
import { priceCategoryOf, recipientPriceOf, type MarketPrices } from '#features/pricing/price-list.ts'
import { findMarketPrices } from '#features/pricing/server/market-prices.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the account's present prices of one message in every market. */
export function findPrices(sql: Sql, accountId: AccountId, template: { category: string }): Promise<MarketPrices> {
	return findMarketPrices(sql, accountId, priceCategoryOf(template))
}

/**
 * Returns the prices of a campaign of one message: that of its recipient's market. Throws a 400 for a market without a
 * price.
 */
export function priceFor(prices: MarketPrices, recipient: string): MarketPrices {
	const price = recipientPriceOf(prices, recipient)
	if (typeof price === 'number') return { pricePaise: price, abroadPrices: null }
	throw problem('market_unpriced', { market: marketName(marketOf(recipient)), reason: price })
}

export function isMarketing(category: string): boolean {
	return category === 'MARKETING'
}
