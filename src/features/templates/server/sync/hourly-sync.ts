import { scanAllOwners } from '#lib/server/all-owners.ts'
import type { OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { listDueAllOwners } from './sync-queries.ts'
import { syncTemplates, type SyncContext } from './sync.ts'

/** Accounts synced at the same time: few, as this is no hurry, and some, so that one which hangs does not hold up the rest. */
const PARALLEL_ACCOUNTS = 4
/** Accounts per scan; the next scan finds the others. */
const SCAN_LIMIT = 100
const SAMPLES_AT_ONCE = 200

/**
 * Syncs the accounts whose last sync is an hour ago: each has an hour of its own, since its last one, so that they do not all
 * come at once. One that fails waits for its next hour.
 */
export async function syncDueTemplates(context: SyncContext, isStopping: () => boolean): Promise<void> {
	const due = await scanAllOwners(context.db, (only) => listDueAllOwners(context.db, { limit: SCAN_LIMIT, only }))
	const waiting = due.slice(0, SCAN_LIMIT).values()
	const syncNext = async () => {
		for (const { owner } of waiting) {
			if (isStopping()) return
			await syncQuietly(context, owner)
		}
	}
	await Promise.all(Array.from({ length: PARALLEL_ACCOUNTS }, syncNext))
}

async function syncQuietly(context: SyncContext, owner: OwnerId): Promise<void> {
	try {
		await syncTemplates(context, owner, { maxSamples: SAMPLES_AT_ONCE })
	} catch (error) {
		// What an AppError says has been logged by whoever threw it.
		if (!(error instanceof AppError)) context.log.error({ error, owner }, 'templates could not be synced by themselves')
	}
}
