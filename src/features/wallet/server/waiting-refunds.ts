import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notifyOnce } from '#features/notifications/server/service.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Log } from '#lib/server/log.ts'
import * as queries from './refund-queries.ts'

/**
 * Notifies all admins of each account whose refunds began to wait. Each notification has its own transaction; after a
 * crash, an admin is notified of the same refunds at most once a day.
 */
export async function announceWaitingRefunds({ db, log }: { db: Db; log: Log }): Promise<void> {
	const waiting = await scanAllAccounts(db, (one) => queries.listUnannouncedAllAccounts(db, one))
	if (waiting.length === 0) return
	const admins = await queries.listAdminAccountsAllAccounts(db)
	for (const { accountId, name } of waiting) {
		const announce = async () => {
			for (const admin of admins)
				await transaction(db, (sql) => notifyOnce(sql, admin, notificationOf.refundsWaiting({ name })))
			await queries.updateAnnounced(db, accountId)
		}
		await announce().catch((error: unknown) =>
			log.error({ error, accountId }, 'admins could not be notified of waiting refunds'),
		)
	}
}
