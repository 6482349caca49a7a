import { AppError } from '#lib/app-error.ts'
import type { AccountId } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { listDueAllAccounts } from './sync-queries.ts'
import { syncTemplates, type SyncContext } from './sync.ts'

/**
 * Accounts synced at the same time: few, because the sync is not urgent, but several, so that a hanging one does not
 * delay the others.
 */
const PARALLEL_ACCOUNTS = 4
/** Accounts per scan; the next scan finds the others. */
const SCAN_LIMIT = 100
const SAMPLES_AT_ONCE = 200

interface HourlyContext extends SyncContext {
	/** Reads the limits and health of the account's number from Meta. */
	readNumber(accountId: AccountId): Promise<void>
}

/**
 * Syncs up to `SCAN_LIMIT` accounts whose last attempt was at least an hour ago, also after a failure. Each account has
 * its own hour, so that not all sync together. Calls `readNumber` after each sync, also after a failure.
 */
export async function syncDueTemplates(context: HourlyContext, signal: AbortSignal): Promise<void> {
	const due = await scanAllAccounts(context.db, (only) => listDueAllAccounts(context.db, { limit: SCAN_LIMIT, only }))
	const waiting = due.slice(0, SCAN_LIMIT).values()
	const syncNext = async () => {
		for (const { accountId } of waiting) {
			if (signal.aborted) return
			await syncQuietly(context, accountId)
		}
	}
	await Promise.all(Array.from({ length: PARALLEL_ACCOUNTS }, syncNext))
}

async function syncQuietly(context: HourlyContext, accountId: AccountId): Promise<void> {
	try {
		await syncTemplates(context, accountId, { maxSamples: SAMPLES_AT_ONCE })
	} catch (error) {
		// `AppError`s were logged where they were thrown.
		if (!(error instanceof AppError))
			context.log.error({ error, accountId }, 'templates could not be synced by themselves')
	}
	await context
		.readNumber(accountId)
		.catch((error: unknown) => context.log.warn({ error, accountId }, 'what Meta grants a number could not be read'))
}
