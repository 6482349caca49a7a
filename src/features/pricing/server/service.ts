import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { marketOf } from '../markets.ts'
import { homePriceOf, marketPriceOf, type PriceList } from '../price-list.ts'
import { findRates } from './market-prices.ts'
import { haveAbroadPricesChanged, isSameList, priceChangeInWords } from './price-words.ts'
import * as queries from './queries.ts'

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
		await notify(sql, accountId, notificationOf.pricesChanged({ ...prices, isAbroadChanged }))
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

/**
 * Returns the account's present price of one reply to a recipient, in paise. Where the price list blocks the market or has no
 * rate for it, a reply costs the home price, because it answers a customer who wrote.
 */
export async function findReplyPrice(sql: Sql, accountId: AccountId, recipient: string): Promise<number> {
	const list = await queries.getPrices(sql, accountId)
	const market = marketOf(recipient)
	const price = marketPriceOf(list, { category: 'service', market, rates: await findRates(sql, list) })
	return typeof price === 'number' ? price : homePriceOf(list, 'service')
}
