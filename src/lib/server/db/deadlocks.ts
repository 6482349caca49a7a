import { DatabaseError } from 'pg'
import { transaction } from '../db.ts'

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 5

/**
 * Runs a transaction again when PostgreSQL ended it to resolve a deadlock: then nothing of it has happened. On a distributed
 * database a write to a table that every machine holds whole locks all of it, so that even transactions about different people
 * may wait for each other.
 */
export async function retryDeadlocks<T>(work: (isRetry: boolean) => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work(attempt > 1)
		} catch (error) {
			const isDeadlock = error instanceof DatabaseError && error.code === DEADLOCK
			if (!isDeadlock || attempt === MAX_ATTEMPTS) throw error
		}
	}
}

/** A transaction that is run again so. */
export function retriedTransaction<T>(...[db, work, options]: Parameters<typeof transaction<T>>): Promise<T> {
	return retryDeadlocks(() => transaction(db, work, options))
}
