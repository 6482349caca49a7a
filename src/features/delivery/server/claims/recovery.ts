import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { takeSendLog } from '#lib/server/storage/send-log.ts'
import { givePlacesBack } from '../limits/campaign-reads.ts'
import { takeOrphanedClaims } from './finish-queries.ts'
import { insertUnsettled, type UnsettledMessage } from './unsettled-queries.ts'

/** Number of messages found in orphaned claims. */
export interface Recovered {
	unknown: number
	unsent: number
}

/**
 * Settles the claims of earlier leases, whatever the status of their campaigns. The worker calls it right after it has
 * acquired the lease. A message that may have reached a connection becomes unknown; any other returns to the queue.
 * `logs` holds the send logs that were taken, since a repeated recovery does not find them again.
 */
export async function recoverClaims(
	db: Db,
	accountId: AccountId,
	{ lease, logs = new Map() }: { lease: Lease; logs?: Map<string, Set<number> | null> },
): Promise<Recovered> {
	const work = async (sql: Sql) => {
		const found: UnsettledMessage[] = []
		for (const { campaignId, seqs, retried, ...claim } of await takeOrphanedClaims(sql, accountId, lease)) {
			const key = `${claim.epoch}:${claim.batch}`
			if (!logs.has(key)) logs.set(key, takeSendLog({ ...claim, account: accountId }))
			const handed = logs.get(key)
			for (const seq of seqs) {
				const maySent = !handed || handed.has(seq)
				const { attempts, refusedBy } = retried?.[seq] ?? { attempts: 0, refusedBy: null }
				found.push({
					campaignId,
					seq,
					attempts: attempts + (maySent ? 1 : 0),
					retryInMs: maySent ? null : 0,
					refusedBy,
				})
			}
		}
		if (found.length > 0) await insertUnsettled(sql, accountId, found)
		await givePlacesBack(
			sql,
			accountId,
			found.filter(({ retryInMs }) => retryInMs !== null),
		)
		return found
	}
	const messages = await transaction(db, work, { isByKey: true })
	const unknown = messages.filter((message) => message.retryInMs === null).length
	return { unknown, unsent: messages.length - unknown }
}
