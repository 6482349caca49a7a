import { transaction, type Db, type Sql } from '../db.ts'
import { AppError } from '../errors.ts'

interface ScanOptions {
	/** Cancels what the database is running, as nobody waits for it any more. */
	signal: AbortSignal
	/** How long one statement may take. */
	timeoutMs: number
	/** Said when it takes longer. */
	tooLong: string
}

/** Runs statements that read much of an account, for an answer that is worth nothing later or to nobody. */
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
			// Should it fail, the statement runs into its timeout. Citus has a second one, for a bigint.
			cancelling = db`select pg_cancel_backend(${row?.pid ?? 0}::integer)`.catch(() => {})
		}
		signal.throwIfAborted()
		signal.addEventListener('abort', cancel, { once: true })
		try {
			return await work(sql)
		} finally {
			signal.removeEventListener('abort', cancel)
			// Before the connection is given back: it must not hit the next one's statement.
			await cancelling
		}
	}
	try {
		return await transaction(db, run, { timeoutMs })
	} catch (error) {
		signal.throwIfAborted()
		throw isCancelled(error) ? new AppError(503, tooLong) : error
	}
}

/** Whether a statement was cancelled, by its timeout or by somebody. */
export function isCancelled(error: unknown): boolean {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === '57014'
}

/**
 * Until the transaction ends, statements are planned for many rows. What arrays hold and who has which values is not in the
 * planner's statistics: it expects few, and would look up each of a million contacts by itself. One more process halves the time.
 */
export async function planScans(sql: Sql): Promise<void> {
	await sql.unsafe(`
		set local plan_cache_mode = force_custom_plan; set local enable_nestloop = off;
		set local max_parallel_workers_per_gather = 1; set local work_mem = '16MB'; set local jit = off
	`)
}
