import { getPrices, type Prices } from '#features/pricing/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the price of one message in paise. AUTHENTICATION costs the utility price. */
export function priceOf(template: { category: string }, prices: Prices): number {
	return isMarketing(template.category) ? prices.marketingPaise : prices.utilityPaise
}

/** Returns the account's present price of one message in paise. */
export async function findPrice(sql: Sql, accountId: AccountId, template: { category: string }): Promise<number> {
	return priceOf(template, await getPrices(sql, accountId))
}

export function isMarketing(category: string): boolean {
	return category === 'MARKETING'
}
