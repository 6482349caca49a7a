import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { indianDay } from '#lib/dates.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { OTHER_MARKETS, type PresentPricesFields } from '../contract.ts'
import { marketName, marketOf, type Market } from '../markets.ts'
import { problem } from '../problems.ts'
import {
	homePriceOf,
	isSameEverywhere,
	marketPriceOf,
	PRICE_CATEGORIES,
	priceCategoryOf,
	recipientPriceOf,
	type MarketPrices,
	type PriceCategory,
	type PriceList,
	type RatesOfDay,
} from '../rules.ts'
import { haveAbroadPricesChanged, isSameList, priceChangeInWords } from './price-words.ts'
import * as queries from './queries.ts'
import { getRatesAllAccounts } from './rate-queries.ts'

/**
 * Changes the given prices for campaigns created from now on, notifies the user and returns all prices. A repeated call
 * sends no notification.
 */
export async function changePrices(
	{ db, notify }: { db: Db; notify: Notify },
	userId: string,
	{ actor, ...given }: Partial<PriceList> & { actor: Actor },
): Promise<PriceList> {
	const { id, accountId } = await findPayer(db, userId)
	return transaction(db, async (sql) => {
		const before = await queries.lockPrices(sql, accountId)
		const prices = { ...before, ...given }
		if (isSameList(before, prices)) return before
		await queries.updatePrices(sql, accountId, prices)
		const isAbroadChanged = haveAbroadPricesChanged(before, prices)
		const isPassOnChanged = before.passesOnFree !== prices.passesOnFree
		await notify(sql, accountId, notificationOf.pricesChanged({ ...prices, isAbroadChanged, isPassOnChanged }))
		const details = priceChangeInWords(before, prices)
		await recordAdminAction(sql, actor, { action: 'prices-changed', subjectId: id, details })
		return prices
	})
}

/** Returns a user who pays for messages. Throws a 404 for admins and unknown users. */
export async function findPayer(db: Db, userId: string): Promise<{ id: number; accountId: AccountId }> {
	const { id, role, accountId } = await getMember(db, userId)
	if (role !== 'user') throw notFound('User')
	return { id, accountId }
}

/** Returns the account's present price of one reply to a recipient, in paise; see `findReplyPrices`. */
export async function findReplyPrice(sql: Sql, accountId: AccountId, recipient: string): Promise<number> {
	const [price = 0] = await findReplyPrices(sql, accountId, [recipient])
	return price
}

/**
 * Returns the account's present prices of one reply to each recipient, in paise. Where the price list blocks the market or has no
 * rate for it, a reply costs the home price, because it answers a customer who wrote.
 */
export async function findReplyPrices(
	sql: Sql,
	accountId: AccountId,
	recipients: readonly string[],
): Promise<number[]> {
	const list = await queries.getPrices(sql, accountId)
	const rates = await findRates(sql, list)
	return recipients.map((recipient) => {
		const price = marketPriceOf(list, { category: 'service', market: marketOf(recipient), rates })
		return typeof price === 'number' ? price : homePriceOf(list, 'service')
	})
}

/** Returns the account's present prices of one message of a template in every market. */
export async function findPrices(
	sql: Sql,
	accountId: AccountId,
	template: { category: string },
): Promise<MarketPrices> {
	return findPricesOf(sql, await queries.getPrices(sql, accountId), template)
}

/** Returns the present prices of one message of a template in every market by a price list that was read before. */
export async function findPricesOf(sql: Sql, list: PriceList, template: { category: string }): Promise<MarketPrices> {
	return marketPricesOf(list, { category: priceCategoryOf(template), rates: await findRates(sql, list) })
}

/**
 * Returns prices whose only price is that of the recipient's market, for a campaign of one message. Throws a 400 for a
 * market without a price.
 */
export function priceFor(prices: MarketPrices, recipient: string): MarketPrices {
	const price = recipientPriceOf(prices, recipient)
	if (typeof price === 'number') return { ...prices, pricePaise: price, abroadPrices: null }
	throw problem('market_unpriced', { market: marketName(marketOf(recipient)), reason: price })
}

/** Returns the prices of one category in every market, computed from a price list and the rates of a day. */
function marketPricesOf(
	list: PriceList,
	{ category, rates }: { category: PriceCategory; rates: RatesOfDay },
): MarketPrices {
	const pricePaise = homePriceOf(list, category)
	const { passesOnFree } = list
	if (isSameEverywhere(list, category)) return { pricePaise, abroadPrices: null, passesOnFree }
	const abroadPrices = new Map(
		OTHER_MARKETS.map((market) => [market, marketPriceOf(list, { category, market, rates })] as const),
	)
	return { pricePaise, abroadPrices, passesOnFree }
}

/** Returns a digest of the prices in other markets, to compare two sets of prices. */
export function abroadDigest({ abroadPrices }: Pick<MarketPrices, 'abroadPrices'>): string {
	return abroadPrices ? sha256(JSON.stringify([...abroadPrices])).toString('base64url') : 'as-at-home'
}

/** Returns today's rates in INR; an empty map unless the list depends on them. */
async function findRates(sql: Sql, list: PriceList): Promise<RatesOfDay> {
	return list.abroadRule === 'card' ? getRatesAllAccounts(sql, 'INR', indianDay(Date.now())) : new Map()
}

/** Returns the prices that the account pays now, without the rule that gave them. */
export async function presentPrices(sql: Sql, accountId: AccountId): Promise<PresentPricesFields> {
	const list = await queries.getPrices(sql, accountId)
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
		passesOnFree: list.passesOnFree,
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
