import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import * as queries from './waiting-queries.ts'

/** Events that wait for one address: those that happen while there are as many are not kept for it. */
const MAX_WAITING = 5_000_000

/** Stops keeping events for addresses for which too many wait, and goes on for those for which some have been sent. */
export async function boundWaiting(context: SweepContext, most = MAX_WAITING): Promise<void> {
	const { db } = context
	const turned = await scanAllAccounts(db, (only) => queries.listTurnedAllAccounts(db, { most, only }))
	await forEachAccount(context, turned, async ({ accountId, ...address }) => {
		await queries.updateFull(db, accountId, address)
		return 1
	})
}
