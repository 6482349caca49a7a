import { DatabaseError } from 'pg'
import { transaction } from '../db.ts'

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 5

/**
 * Runs a transaction up to MAX_ATTEMPTS times until it ends without a deadlock, for which PostgreSQL rolls back all of
 * it. On Citus a write to a reference table locks the whole table, so even transactions of different accounts can
 * deadlock.
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

/** Runs a transaction, and repeats it after a deadlock as `retryDeadlocks` does. */
export function retriedTransaction<T>(...[db, work, options]: Parameters<typeof transaction<T>>): Promise<T> {
	return retryDeadlocks(() => transaction(db, work, options))
}
