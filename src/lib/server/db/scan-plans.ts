import type { AppError } from '#lib/app-error.ts'
import { transaction, type Db, type Sql } from '../db.ts'

interface ScanOptions {
	/** Cancels the running statement when aborted, since its client has disconnected. */
	signal: AbortSignal
	/** Timeout of one statement in milliseconds. */
	timeoutMs: number
	/** Returns the 503 after a timeout. */
	tooLong: () => AppError
}

/** Runs statements that read much of an account, and cancels them on a timeout or when the client disconnects. */
export async function scan<T>(
	db: Db,
	work: (sql: Sql) => PromiseLike<T>,
	{ signal, timeoutMs, tooLong }: ScanOptions,
): Promise<T> {
	const run = async (sql: Sql) => {
		await planScans(sql)
		const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
		let cancelling: Promise<unknown> = Promise.resolve()
		const cancel = () => {
			// When cancelling fails, the statement ends at its timeout. The cast picks one function: Citus adds another for
			// bigint.
			cancelling = db`select pg_cancel_backend(${row?.pid ?? 0}::integer)`.catch(() => {})
		}
		signal.throwIfAborted()
		signal.addEventListener('abort', cancel, { once: true })
		try {
			return await work(sql)
		} finally {
			signal.removeEventListener('abort', cancel)
			// Waits for the cancel before the connection returns to the pool, so that the cancel cannot hit its next statement.
			await cancelling
		}
	}
	try {
		return await transaction(db, run, { timeoutMs })
	} catch (error) {
		signal.throwIfAborted()
		throw isCancelled(error) ? tooLong() : error
	}
}

/** Returns true when a statement was cancelled by its timeout or a request. */
export function isCancelled(error: unknown): boolean {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === '57014'
}

/**
 * Makes the planner expect many rows until the transaction ends. Its statistics do not cover array contents and custom
 * fields, so it would look up a million contacts one by one; a second parallel worker halves the time.
 */
export async function planScans(sql: Sql): Promise<void> {
	await sql.unsafe(`
		set local plan_cache_mode = force_custom_plan; set local enable_nestloop = off;
		set local max_parallel_workers_per_gather = 1; set local work_mem = '16MB'; set local jit = off
	`)
}
