import { MARKET_IDS, HOME_MARKET, type Market } from './markets.ts'
import { marketPriceOf, type PriceCategory, type PriceList, type RatesOfDay } from './rules.ts'

const MICROS_OF_PAISA = 10_000

/** Returns the markets abroad in which a message costs the account less than WhatsApp charges for it, before tax. */
export function marketsBelowRate(list: PriceList, category: PriceCategory, rates: RatesOfDay): Market[] {
	return MARKET_IDS.filter((market) => {
		const rate = rates.get(market)?.[category]?.rateMicros
		if (market === HOME_MARKET || rate === undefined) return false
		const price = marketPriceOf(list, { category, market, rates })
		return typeof price === 'number' && price * MICROS_OF_PAISA < rate
	})
}
