import type { ShownPrices } from '#features/campaigns/form-fields.ts'
import { problem } from '#features/campaigns/problems.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { abroadDigest } from '#features/pricing/server/service.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'

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
