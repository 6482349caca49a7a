import { homePriceOf, priceCategoryOf } from '#features/pricing/price-list.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the account's present price of one message in the home market, in paise. */
export async function findPrice(sql: Sql, accountId: AccountId, template: { category: string }): Promise<number> {
	return homePriceOf(await getPrices(sql, accountId), priceCategoryOf(template))
}

export function isMarketing(category: string): boolean {
	return category === 'MARKETING'
}
