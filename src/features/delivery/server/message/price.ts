import type { Prices } from '#features/pricing/server/queries.ts'

/** Returns the price of one message in paise. AUTHENTICATION costs the utility price. */
export function priceOf(template: { category: string }, prices: Prices): number {
	return isMarketing(template.category) ? prices.marketingPaise : prices.utilityPaise
}

export function isMarketing(category: string): boolean {
	return category === 'MARKETING'
}
