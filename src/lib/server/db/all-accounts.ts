import type { Db, AccountId, Sql } from '../db.ts'
import type { Log } from '../log.ts'
import { isCancelled } from './scan-plans.ts'

/** Accounts asked at the same time, so that a scan does not take the whole pool of connections. */
const PARALLEL_ACCOUNTS = 4

/**
 * Runs a scan over all accounts. On a distributed database such a statement fails for everybody while one machine is down.
 * Then each account is asked alone, and those that cannot answer are left out, so that a machine that is down stops only the
 * accounts it holds. Rejects when no account answers: the scan itself is wrong, or the whole database is down.
 *
 * `scan` gets null for all accounts, otherwise the one to look at: `${owner === null ? sql`` : sql`and account_id = ${owner}`}`.
 */
export async function scanAllAccounts<T>(
	sql: Sql,
	scan: (accountId: AccountId | null) => PromiseLike<readonly T[]>,
): Promise<T[]> {
	try {
		return [...(await scan(null))]
	} catch (error) {
		// One that takes too long for all would do so again for each.
		if (isCancelled(error)) throw error
		const found = await scanEachAccount(sql, scan).catch(() => null)
		if (found === null) throw error
		return found
	}
}

/** All accounts, oldest first. A reference table: every machine can answer this alone. */
export async function listAccountsAllAccounts(sql: Sql): Promise<AccountId[]> {
	return (await sql<{ id: AccountId }[]>`select id from accounts order by id`).map(({ id }) => id)
}

/** What work on all accounts needs, which ends at its next step once `signal` is aborted. */
export interface SweepContext {
	db: Db
	log: Log
	signal?: AbortSignal | undefined
}

/** What a chunk of a deletion covers. */
export interface OldRows {
	/** The age that they have reached, as an interval of PostgreSQL. */
	age: string
	limit: number
}

/** Runs the work for each item and adds up its results; a failure is logged, and the next item follows. */
export async function forEachAccount<T>(
	{ log, signal }: Pick<SweepContext, 'log' | 'signal'>,
	items: readonly T[],
	work: (item: T) => Promise<number>,
): Promise<number> {
	let total = 0
	for (const item of items) {
		if (signal?.aborted) break
		total += await work(item).catch((error: unknown) => {
			log.error({ error, item }, 'a sweep failed for one account')
			return 0
		})
	}
	return total
}

/** Deletes chunk by chunk until there is nothing left, or work is to end. Returns how many rows went. */
export async function inChunks(
	{ signal }: Pick<SweepContext, 'signal'>,
	deleteChunk: () => Promise<number>,
): Promise<number> {
	let rows = 0
	for (;;) {
		const deleted = signal?.aborted ? 0 : await deleteChunk()
		if (deleted === 0) return rows
		rows += deleted
	}
}

/** Null when no account answers. */
async function scanEachAccount<T>(
	sql: Sql,
	scan: (accountId: AccountId) => PromiseLike<readonly T[]>,
): Promise<T[] | null> {
	const accounts = await listAccountsAllAccounts(sql)
	const found: T[][] = accounts.map(() => [])
	let answers = 0
	const waiting = accounts.entries()
	const askNext = async () => {
		for (const [index, accountId] of waiting) {
			try {
				found[index] = [...(await scan(accountId))]
				answers++
			} catch {
				// This account's machine is down; the next scan asks again.
			}
		}
	}
	await Promise.all(Array.from({ length: PARALLEL_ACCOUNTS }, askNext))
	return answers > 0 ? found.flat() : null
}
