import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type Db, type Sql } from '../db.ts'

/** Milliseconds before each question about a transaction whose commit was not answered. */
const ASK_AFTER_MS = [100, 400, 1000, 3000, 5000, 10_000]

/**
 * Runs `work` as `transaction` does. When the answer to its commit is lost, asks `isStored` whether the result is in the
 * database, until the database answers. Rejects when it is not, or when the database does not answer for 20 seconds. For claims
 * that only this process can continue, because others skip what is claimed.
 */
export async function transactionUntilKnown<T>(
	db: Db,
	work: (sql: Sql) => PromiseLike<T | undefined>,
	isStored: (sql: Sql, result: T) => PromiseLike<boolean>,
): Promise<T | undefined> {
	let result: T | undefined
	try {
		return await transaction(db, async (sql) => (result = await work(sql)))
	} catch (error) {
		for (const ms of result === undefined ? [] : ASK_AFTER_MS) {
			await sleep(ms)
			const known = result
			const answer = await transaction(db, async (sql) => known !== undefined && isStored(sql, known)).catch(() => null)
			if (answer === true) return result
			if (answer === false) break
		}
		throw error
	}
}
