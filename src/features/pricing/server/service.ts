import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import * as queries from './queries.ts'
import type { Prices } from './queries.ts'

/**
 * Changes the given prices for campaigns created from now on, notifies the user and returns all prices. A repeated call
 * sends no notification.
 */
export async function changePrices(
	{ db, notify }: { db: Db; notify: Notify },
	userId: string,
	{ actor, ...given }: Partial<Prices> & { actor: Actor },
): Promise<Prices> {
	const { id, role, accountId } = await getMember(db, userId)
	if (role !== 'user') throw notFound('User')
	return transaction(db, async (sql) => {
		const before = await queries.lockPrices(sql, accountId)
		const prices = { ...before, ...given }
		if (!(await queries.updatePrices(sql, accountId, prices))) return prices
		await notify(sql, accountId, notificationOf.pricesChanged(prices))
		const details = `${inWords(before)} → ${inWords(prices)}`
		await recordAdminAction(sql, actor, { action: 'prices-changed', subjectId: id, details })
		return prices
	})
}

function inWords({ marketingPaise, utilityPaise }: Prices): string {
	const [marketing, utility] = [marketingPaise, utilityPaise].map((paise) => formatRupees(rupeesFromPaise(paise)))
	return `marketing ${marketing}, utility ${utility}`
}
