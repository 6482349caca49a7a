import type { PresentPricesFields } from './contract.ts'
import { marketOf } from './markets.ts'
import { priceCategoryOf } from './rules.ts'

/** Returns the price of a template to a number or user id in rupees, or the reason why its market has none. */
export function templatePriceOf(
	prices: PresentPricesFields,
	{ template, recipient }: { template: { category: string }; recipient: string },
): PresentPricesFields['markets'][number]['marketing'] {
	const category = priceCategoryOf(template)
	const market = prices.markets.find((one) => one.market === marketOf(recipient))
	if (market) return market[category]
	const home = {
		marketing: prices.marketingPrice,
		utility: prices.utilityPrice,
		authentication: prices.authenticationPrice,
	}
	return { price: home[category], refusal: null }
}
