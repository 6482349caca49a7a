import { OWN_ERRORS } from '#features/campaigns/rules.ts'
import { scanAllOwners } from '#lib/server/all-owners.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import * as queries from './settle-queries.ts'
import { settleChats } from './settle.ts'

const CHUNK_SIZE = 500

export interface ChatSweepDeps {
	db: Db
	log: Log
	/** Seconds until an unconfirmed message is failed and its money given back. */
	unknownAfter: number
	isStopping?: (() => boolean) | undefined
}

/** Fails, and gives back the money of, messages that nothing confirmed in time. Returns how many; more may be left. */
export async function sweepUnconfirmedChats({ db, log, unknownAfter, isStopping }: ChatSweepDeps): Promise<number> {
	const seconds = unknownAfter
	const due = await scanAllOwners(db, (only) => queries.listUnconfirmedAllOwners(db, { seconds, only }))
	let total = 0
	for (const { owner } of due) {
		if (isStopping?.()) break
		try {
			total += await transaction(db, (sql) => failUnconfirmed(sql, owner, seconds), { isByKey: true })
		} catch (error) {
			log.error({ error, owner }, 'unconfirmed chat messages could not be failed')
		}
	}
	return total
}

async function failUnconfirmed(sql: Sql, owner: OwnerId, seconds: number): Promise<number> {
	const found = await queries.listUnconfirmed(sql, owner, { seconds, limit: CHUNK_SIZE })
	const { code, text } = OWN_ERRORS.unconfirmed
	const failed = { status: 'failed' as const, at: new Date(), wamid: null, errorCode: code, error: text }
	const updates = found.map(({ id }) => ({ id, ...failed }))
	await settleChats(sql, owner, updates)
	return updates.length
}
