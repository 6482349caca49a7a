import { setTimeout } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'

/**
 * Polls until `isSo` holds; throws after the timeout. For effects that no response announces. Raise `intervalMs` where `isSo`
 * asks a browser, because frequent polls are work.
 */
export async function until(isSo: () => boolean | Promise<boolean>, timeoutMs = 5000, intervalMs = 10): Promise<void> {
	const end = performance.now() + timeoutMs
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for: ${String(isSo)}`)
		await setTimeout(intervalMs)
	}
}

/** Resolves when this number of transactions wait for locks of others, on all machines together. */
export async function untilLocked(db: Db, count = 1): Promise<void> {
	const waits = (await isDistributed(db))
		? db`select from citus_lock_waits`
		: db`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
	await until(async () => (await db`${waits}`).length >= count)
}
