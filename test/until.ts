import { setTimeout } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'

/** Timeout of a wait in milliseconds, far above any wait on a machine with ten times the load that it can carry. */
export const PATIENCE_MS = 60_000

/** Timeout in milliseconds of the start of a process, which loads a busy machine for tens of seconds. */
export const START_TIMEOUT_MS = 240_000

/**
 * Polls until `isSo` returns true, and throws after the timeout. Give a shorter timeout only where the test checks it, and a
 * longer interval where `isSo` asks a browser, because frequent polls load the machine.
 */
export async function until(
	isSo: () => boolean | Promise<boolean>,
	timeoutMs = PATIENCE_MS,
	intervalMs = 10,
): Promise<void> {
	const start = performance.now()
	while (!(await isSo())) {
		const waitedMs = performance.now() - start
		if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for: ${String(isSo)}`)
		await setTimeout(Math.max(intervalMs, pollInterval(waitedMs)))
	}
}

/** Returns the milliseconds until the next poll. They grow with the wait, because frequent polls load the machine. */
export function pollInterval(waitedMs: number): number {
	return Math.min(10 + waitedMs / 20, 50)
}

/** Resolves when this number of transactions wait for locks of others, on all machines together. */
export async function untilLocked(db: Db, count = 1): Promise<void> {
	const waits = (await isDistributed(db))
		? db`select from citus_lock_waits`
		: db`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
	await until(async () => (await db`${waits}`).length >= count)
}
