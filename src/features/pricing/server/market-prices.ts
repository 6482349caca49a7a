import { indianDay } from '#lib/dates.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { OTHER_MARKETS, type PresentPricesFields } from '../contract.ts'
import { marketName, type Market } from '../markets.ts'
import {
	homePriceOf,
	isSameEverywhere,
	marketPriceOf,
	type MarketPrices,
	PRICE_CATEGORIES,
	type PriceCategory,
	type PriceList,
	type RatesOfDay,
} from '../price-list.ts'
import { getPrices } from './queries.ts'
import { getRatesAllAccounts } from './rate-queries.ts'

/** Returns the account's present prices of one category in every market. Reads rates only if the prices depend on them. */
export async function findMarketPrices(sql: Sql, accountId: AccountId, category: PriceCategory): Promise<MarketPrices> {
	const list = await getPrices(sql, accountId)
	return marketPricesOf(list, { category, rates: await findRates(sql, list) })
}

/** Returns the prices of one category in every market by a list and the rates of a day. */
export function marketPricesOf(
	list: PriceList,
	{ category, rates }: { category: PriceCategory; rates: RatesOfDay },
): MarketPrices {
	const pricePaise = homePriceOf(list, category)
	if (isSameEverywhere(list, category)) return { pricePaise, abroadPrices: null }
	const abroadPrices = new Map(
		OTHER_MARKETS.map((market) => [market, marketPriceOf(list, { category, market, rates })] as const),
	)
	return { pricePaise, abroadPrices }
}

/** Returns a text that differs between different prices in other markets. */
export function abroadDigest({ abroadPrices }: Pick<MarketPrices, 'abroadPrices'>): string {
	return abroadPrices ? sha256(JSON.stringify([...abroadPrices])).toString('base64url') : 'as-at-home'
}

/** Returns today's rates in rupees; an empty map unless the list depends on them. */
export async function findRates(sql: Sql, list: PriceList): Promise<RatesOfDay> {
	return list.abroadRule === 'card' ? getRatesAllAccounts(sql, 'INR', indianDay(Date.now())) : new Map()
}

/** Returns what the account pays at present, without the rule behind it. */
export async function presentPrices(sql: Sql, accountId: AccountId): Promise<PresentPricesFields> {
	const list = await getPrices(sql, accountId)
	const rates = await findRates(sql, list)
	const home = (category: PriceCategory) => rupeesFromPaise(homePriceOf(list, category))
	const isSame = PRICE_CATEGORIES.every((category) => isSameEverywhere(list, category))
	const abroad = (market: Market, category: PriceCategory) => {
		const price = marketPriceOf(list, { category, market, rates })
		return typeof price === 'number'
			? { price: rupeesFromPaise(price), refusal: null }
			: { price: null, refusal: price }
	}
	return {
		marketingPrice: home('marketing'),
		utilityPrice: home('utility'),
		authenticationPrice: home('authentication'),
		servicePrice: home('service'),
		markets: isSame
			? []
			: OTHER_MARKETS.map((market) => ({
					market,
					name: marketName(market),
					marketing: abroad(market, 'marketing'),
					utility: abroad(market, 'utility'),
					authentication: abroad(market, 'authentication'),
					service: abroad(market, 'service'),
				})),
	}
}
