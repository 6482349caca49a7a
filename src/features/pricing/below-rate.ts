import { MARKET_IDS, HOME_MARKET, type Market } from './markets.ts'
import { marketPriceOf, type PriceCategory, type PriceList, type RatesOfDay } from './rules.ts'

const MICROS_OF_PAISA = 10_000
const MICROS_OF_RUPEE = 1_000_000

/** Converts a rate in rupees, which has up to six decimals, to millionths of a rupee. */
export function microsOfRate(rate: number): number {
	return Math.round(rate * MICROS_OF_RUPEE)
}

/**
 * Returns true when a price in paise is below WhatsApp's rate in millionths of a rupee. Both are before tax, as is the cost
 * of a margin (docs/figures.md).
 */
export function isBelowRate(pricePaise: number, rateMicros: number): boolean {
	return pricePaise * MICROS_OF_PAISA < rateMicros
}

/** Returns the markets abroad in which a message costs the account less than WhatsApp charges for it, before tax. */
export function marketsBelowRate(list: PriceList, category: PriceCategory, rates: RatesOfDay): Market[] {
	return MARKET_IDS.filter((market) => {
		const rate = rates.get(market)?.[category]?.rateMicros
		if (market === HOME_MARKET || rate === undefined) return false
		const price = marketPriceOf(list, { category, market, rates })
		return typeof price === 'number' && isBelowRate(price, rate)
	})
}
