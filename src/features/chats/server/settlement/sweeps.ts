import { OWN_ERRORS } from '#features/campaigns/rules.ts'
import { DELIVERY_DAYS, forEachAccount } from '#features/campaigns/server/service.ts'
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

/** Fails, and gives back the money of, messages that nothing confirmed in time. Returns how many. */
export async function sweepUnconfirmedChats(deps: ChatSweepDeps): Promise<number> {
	const seconds = deps.unknownAfter
	const due = await scanAllOwners(deps.db, (only) => queries.listUnconfirmedAllOwners(deps.db, { seconds, only }))
	return failAll(deps, due, {
		reason: OWN_ERRORS.unconfirmed,
		next: (sql, owner) => queries.listUnconfirmed(sql, owner, { seconds, limit: CHUNK_SIZE }),
	})
}

/** Fails, and refunds, accepted templates that were not delivered within Meta's 30 days. Goes on until there are no more. */
export async function sweepExpiredChats(deps: Omit<ChatSweepDeps, 'unknownAfter'>): Promise<number> {
	const days = DELIVERY_DAYS
	const due = await scanAllOwners(deps.db, (only) => queries.listExpiredAllOwners(deps.db, { days, only }))
	return failAll(deps, due, {
		reason: OWN_ERRORS.expired,
		next: (sql, owner) => queries.listExpired(sql, owner, { days, limit: CHUNK_SIZE }),
	})
}

interface Failing {
	reason: { code: number; text: string }
	/** Finds the next messages of an account to be failed. */
	next: (sql: Sql, owner: OwnerId) => Promise<{ id: number }[]>
}

/** Fails, account by account, the messages that `next` finds until it finds less than a chunk. Returns how many. */
async function failAll(
	deps: Omit<ChatSweepDeps, 'unknownAfter'>,
	due: readonly { owner: OwnerId }[],
	failing: Failing,
): Promise<number> {
	return forEachAccount(deps, due, async ({ owner }) => {
		let total = 0
		for (let last = CHUNK_SIZE; last === CHUNK_SIZE && !deps.isStopping?.(); total += last)
			last = await transaction(deps.db, (sql) => failChunk(sql, owner, failing), { isByKey: true })
		return total
	})
}

async function failChunk(sql: Sql, owner: OwnerId, { reason: { code, text }, next }: Failing): Promise<number> {
	const found = await next(sql, owner)
	const failed = { status: 'failed' as const, at: new Date(), wamid: null, errorCode: code, error: text }
	const updates = found.map(({ id }) => ({ id, ...failed }))
	await settleChats(sql, owner, updates)
	return updates.length
}
