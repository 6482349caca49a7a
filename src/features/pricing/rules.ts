import { HOME_MARKET, marketOf, type Market } from './markets.ts'

/** Categories of messages that have a price. `service` is a reply in a chat, and any other message without a template. */
export const PRICE_CATEGORIES = ['marketing', 'utility', 'authentication', 'service'] as const
export type PriceCategory = (typeof PRICE_CATEGORIES)[number]

/** Highest percentage that rule `card` adds to WhatsApp's rate. */
export const MAX_ABROAD_PERCENT = 500

/**
 * Rules for recipients in other markets: `same` charges the home price, `card` WhatsApp's rate of the market increased by
 * `abroadPercent`, `blocked` leaves them out.
 */
export const ABROAD_RULES = ['same', 'card', 'blocked'] as const
export type AbroadRule = (typeof ABROAD_RULES)[number]

/** The fixed price of one market and category. It overrides the rule. */
export interface FixedPrice {
	market: Market
	category: PriceCategory
	paise: number
}

/** Prices of one message in paise. */
export interface PriceList {
	marketingPaise: number
	utilityPaise: number
	/** Null for the utility price. */
	authenticationPaise: number | null
	servicePaise: number
	abroadRule: AbroadRule
	abroadPercent: number
	fixedPrices: readonly FixedPrice[]
	/** True when template messages that WhatsApp does not charge, by the first pricing of their status updates, are refunded. */
	passesOnFree: boolean
}

/** WhatsApp's rates of a day in millionths of a rupee, by market. An absent rate is unknown. */
export type RatesOfDay = ReadonlyMap<Market, Partial<Record<PriceCategory, { rateMicros: number }>>>

/** The reason why a market has no price: its rule blocks it, or rule `card` has no rate for it. */
export type PriceRefusal = 'blocked' | 'no_rate'

/** Returns the price in the home market, in paise. */
export function homePriceOf(list: Omit<PriceList, 'fixedPrices'>, category: PriceCategory): number {
	const prices = {
		marketing: list.marketingPaise,
		utility: list.utilityPaise,
		authentication: list.authenticationPaise ?? list.utilityPaise,
		service: list.servicePaise,
	}
	return prices[category]
}

/**
 * Returns the price of one message to a market in paise, or the reason why there is none. A rate with its percentage is
 * rounded up to a paisa, and never falls below the home price. Replies that are free at home are free in every market
 * without a fixed price.
 */
export function marketPriceOf(
	list: PriceList,
	{ category, market, rates }: { category: PriceCategory; market: Market; rates: RatesOfDay },
): number | PriceRefusal {
	const home = homePriceOf(list, category)
	if (market === HOME_MARKET) return home
	const fixed = list.fixedPrices.find((one) => one.market === market && one.category === category)
	if (fixed) return fixed.paise
	if (list.abroadRule === 'same' || (category === 'service' && home === 0)) return home
	if (list.abroadRule === 'blocked') return 'blocked'
	const rate = rates.get(market)?.[category]?.rateMicros
	if (rate === undefined) return 'no_rate'
	return Math.max(home, Math.ceil((rate * (100 + list.abroadPercent)) / (100 * MICROS_OF_PAISA)))
}

const MICROS_OF_PAISA = 10_000

/** The prices of one category in the markets other than the home market, in paise. */
export type AbroadPrices = ReadonlyMap<Market, number | PriceRefusal>

/** The prices of one category in every market. */
export interface MarketPrices {
	/** Price in the home market, in paise. */
	pricePaise: number
	/** Null while all markets cost the home price. */
	abroadPrices: AbroadPrices | null
	/** `passesOnFree` of the price list; false when absent. */
	passesOnFree?: boolean
}

/** Returns the price of a message to a number or business-scoped user id in paise, or the reason why there is none. */
export function recipientPriceOf({ pricePaise, abroadPrices }: MarketPrices, recipient: string): number | PriceRefusal {
	return abroadPrices?.get(marketOf(recipient)) ?? pricePaise
}

/** Returns true when messages of this category cost the same in every market. */
export function isSameEverywhere(list: PriceList, category: PriceCategory): boolean {
	const home = homePriceOf(list, category)
	const hasRule = list.abroadRule !== 'same' && !(category === 'service' && home === 0)
	return !hasRule && list.fixedPrices.every((one) => one.category !== category || one.paise === home)
}

/** Returns the category of a template's price. WhatsApp's unknown categories cost as utility. */
export function priceCategoryOf(template: { category: string }): Exclude<PriceCategory, 'service'> {
	if (template.category === 'MARKETING') return 'marketing'
	return template.category === 'AUTHENTICATION' ? 'authentication' : 'utility'
}
