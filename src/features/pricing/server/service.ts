import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notices } from '#features/notifications/server/service.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { notFound } from '#lib/server/errors.ts'
import type { Notify } from '#lib/server/notify.ts'
import * as queries from './queries.ts'
import type { Prices } from './queries.ts'

export type { Prices }

/** What one message costs this account; AUTHENTICATION costs the utility price. */
export function getPrices(sql: Sql, owner: OwnerId): Promise<Prices> {
	return queries.getPrices(sql, owner)
}

/** Gives a new account the prices it starts with. */
export function setFirstPrices(sql: Sql, owner: OwnerId, prices: Prices): Promise<void> {
	return queries.insertPrices(sql, owner, prices)
}

/** Sets a user's prices for campaigns created from now on, and notifies them. Repeating it notifies nobody again. */
export async function changePrices(
	{ db, notify }: { db: Db; notify: Notify },
	userId: string,
	{ actor, ...prices }: Prices & { actor: Actor },
): Promise<void> {
	const { id, role, ownerId } = await getMember(db, userId)
	if (role !== 'user') throw notFound('User')
	await transaction(db, async (sql) => {
		const before = await queries.updatePrices(sql, ownerId, prices)
		if (!before) return
		await notify(sql, ownerId, notices.pricesChanged(prices))
		const details = `${inWords(before)} → ${inWords(prices)}`
		await recordAdminAction(sql, actor, { action: 'prices-changed', subjectId: id, details })
	})
}

function inWords({ marketingPaise, utilityPaise }: Prices): string {
	const [marketing, utility] = [marketingPaise, utilityPaise].map((paise) => formatRupees(rupeesFromPaise(paise)))
	return `marketing ${marketing}, utility ${utility}`
}
