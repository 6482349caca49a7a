import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import { insertLeftovers, takeDeadClaims, type Leftover } from './claim-queries.ts'
import { takeWireLog } from './send-log.ts'

/**
 * Deals with the claims that dead workers left behind; called by the worker that has just become the sender's only driver.
 * What was, or may have been, handed to a connection is of unknown outcome; what demonstrably was not goes back into the queue.
 */
export async function adoptClaims(
	db: Db,
	owner: OwnerId,
	worker: string,
): Promise<{ unknown: number; unsent: number }> {
	const logs = new Map<string, Set<string> | null>()
	const found = await transaction(db, async (sql) => {
		const last = new Map<string, Leftover>()
		const claims = (await takeDeadClaims(sql, owner, worker)).toSorted((a, b) => a.id - b.id)
		for (const claim of claims) {
			if (!logs.has(claim.worker)) logs.set(claim.worker, takeWireLog(claim.worker))
			const handed = logs.get(claim.worker)
			for (const seq of claim.seqs) {
				const maySent = !handed || handed.has(`${claim.id}:${seq}`)
				const state = maySent
					? { tries: 1, retryAt: null, unknownSince: claim.claimedAt }
					: { tries: 0, retryAt: claim.claimedAt, unknownSince: null }
				last.set(`${claim.campaignId}:${seq}`, { campaignId: claim.campaignId, seq, claimId: null, ...state })
			}
		}
		const leftovers = [...last.values()]
		if (leftovers.length > 0) await insertLeftovers(sql, owner, leftovers)
		return leftovers
	})
	const unknown = found.filter((leftover) => leftover.unknownSince !== null).length
	return { unknown, unsent: found.length - unknown }
}
