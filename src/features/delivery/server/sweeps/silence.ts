import { notificationOf } from '#features/notifications/server/kinds.ts'
import { transaction } from '#lib/server/db.ts'
import { scanAllAccounts, forEachAccount } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import * as queries from './silence-queries.ts'
import type { SweepDeps } from './sweeps.ts'

/**
 * Notifies the users of accounts whose messages get no status updates, once until the next update. Returns their number.
 * Messages without updates are neither delivered nor failed, and are not refunded.
 */
export async function notifySilence({ db, log, notify, signal }: SweepDeps): Promise<number> {
	const accountIds = await scanAllAccounts(db, (only) => queries.listMaybeSilentAllAccounts(db, only))
	return forEachAccount({ log, signal }, accountIds, ({ accountId }) =>
		transaction(db, async (sql) => {
			if (!(await queries.takeSilenceAlarm(sql, accountId))) return 0
			await notify(sql, accountId, notificationOf.reportsMissing())
			announceLive(sql, accountId, { kind: 'sender' })
			log.warn({ accountId }, 'a sender gets no status updates')
			return 1
		}),
	)
}
