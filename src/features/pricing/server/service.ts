import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import type { PriceList } from '../price-list.ts'
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
