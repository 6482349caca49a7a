import type { Db, AccountId, Sql } from '../db.ts'
import type { Log } from '../log.ts'
import { isCancelled } from './scan-plans.ts'

/** Accounts scanned concurrently, so that a scan does not use the whole connection pool. */
const PARALLEL_ACCOUNTS = 4

/**
 * Runs a scan over all accounts. On Citus such a statement fails while one node is down; then each account is scanned
 * alone and failing ones are omitted, so that a failed node affects only its own accounts. Rejects when no account
 * answers: the scan is wrong, or the whole database is down.
 *
 * `scan` receives null for all accounts, otherwise one account: `${accountId === null ? sql`` : sql`and account_id =
 * ${accountId}`}`.
 */
export async function scanAllAccounts<T>(
	sql: Sql,
	scan: (accountId: AccountId | null) => PromiseLike<readonly T[]>,
): Promise<T[]> {
	try {
		return [...(await scan(null))]
	} catch (error) {
		// A timeout would repeat for each account.
		if (isCancelled(error)) throw error
		const found = await scanEachAccount(sql, scan).catch(() => null)
		if (found === null) throw error
		return found
	}
}

/** Returns all accounts, oldest first. The table is a reference table, which every Citus node can read without the others. */
export async function listAccountsAllAccounts(sql: Sql): Promise<AccountId[]> {
	return (await sql<{ id: AccountId }[]>`select id from accounts order by id`).map(({ id }) => id)
}

/** Inserts an account and returns its id. */
export async function insertAccount(sql: Sql): Promise<AccountId> {
	const [account] = await sql<{ id: AccountId }[]>`insert into accounts default values returning id`
	if (!account) throw new Error('an insert returns its row')
	return account.id
}

/** Dependencies of work over all accounts. The work ends after its current step when `signal` aborts. */
export interface SweepContext {
	db: Db
	log: Log
	signal?: AbortSignal | undefined
}

/** The rows that one chunk of a deletion covers. */
export interface OldRows {
	/** Minimum age of the rows, as a PostgreSQL interval. */
	age: string
	limit: number
}

/**
 * Runs the work for each item until `signal` aborts, and returns the sum of its results. Logs a failure and continues
 * with the next item.
 */
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

/** Runs `deleteChunk` until it deletes nothing or `signal` aborts. Returns the number of deleted rows. */
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

/** Scans one account at a time and joins the results. Omits accounts whose scan fails; null when every scan fails. */
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
				// The account's node is down; the next scan tries again.
			}
		}
	}
	await Promise.all(Array.from({ length: PARALLEL_ACCOUNTS }, askNext))
	return answers > 0 ? found.flat() : null
}
