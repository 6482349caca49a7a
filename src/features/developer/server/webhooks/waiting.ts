import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import * as queries from './waiting-queries.ts'

/** Maximum number of waiting events per address. Further events are not stored. */
const MAX_WAITING = 5_000_000

/** Marks addresses with too many waiting events, for which no events are stored, and clears the mark after some were sent. */
export async function boundWaiting(context: SweepContext, most = MAX_WAITING): Promise<void> {
	const { db } = context
	const turned = await scanAllAccounts(db, (only) => queries.listTurnedAllAccounts(db, { most, only }))
	await forEachAccount(context, turned, async ({ accountId, ...address }) => {
		await queries.updateFull(db, accountId, address)
		return 1
	})
}
