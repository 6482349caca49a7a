import type { AccountId } from '#lib/server/db.ts'
import { forEachAccount, inChunks, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import type { DeletedUser, PersonalData } from '../parts.ts'
import { deleteRows } from './account-queries.ts'
import { ERASED_TABLES } from './erased-tables.ts'

/** Maximum number of rows per transaction, so that no transaction holds its locks for long. */
const CHUNK_ROWS = 2000
/** Maximum number of passes per run. Data that arrives during a pass requires another one; the next run continues. */
const MAX_PASSES = 10
const ACCOUNTS_AT_ONCE = 10_000

interface ErasureContext extends SweepContext {
	storage: AccountStorage
	personalData: Pick<PersonalData, 'erasure'>
	/** Days for which a deleted account's data is retained; 0 for ever. */
	keepAccountDays: number
}

/** Erases deleted accounts whose retention has ended and that have no money left to settle. */
export async function eraseDeletedAccounts(context: ErasureContext): Promise<void> {
	const { db, keepAccountDays: days } = context
	if (days === 0) return
	const due = await context.personalData.erasure.listDue(db, { days, limit: ACCOUNTS_AT_ONCE })
	await forEachAccount(context, due, (user) => eraseAccount(context, user))
}

/**
 * Erases an account in at most MAX_PASSES passes, and marks it as erased after a pass that found nothing. Returns the
 * number of deleted rows and files; 0 when the erasure must wait, and logs the reason.
 */
async function eraseAccount(context: ErasureContext, user: DeletedUser): Promise<number> {
	const { log, signal } = context
	const { accountId } = user
	const waitsFor = await settleAll(context, accountId)
	if (waitsFor !== null) {
		log.warn({ accountId, waitsFor }, 'the data of a deleted account is not erased yet')
		return 0
	}
	let total = 0
	for (let pass = 0; pass < MAX_PASSES; pass++) {
		const found = await erasePass(context, user)
		if (signal?.aborted) break
		total += found
		if (found > 0) continue
		await context.personalData.erasure.finish(context.db, user)
		log.info({ accountId, rows: total }, 'the data of a deleted account was erased')
		break
	}
	return total
}

/** Finalizes the account's books. Returns the reason why the erasure must wait, or null. */
async function settleAll({ db, personalData }: ErasureContext, accountId: AccountId): Promise<string | null> {
	for (const settle of personalData.erasure.settle) {
		const reason = await settle(db, accountId)
		if (reason !== null) return reason
	}
	return null
}

async function erasePass(context: ErasureContext, user: DeletedUser): Promise<number> {
	const { db, storage, personalData } = context
	const { accountId } = user
	let found = 0
	for await (const { key } of storage.list(String(accountId))) {
		if (context.signal?.aborted) return found
		await storage.delete(key)
		found++
	}
	for (const table of ERASED_TABLES)
		found += await inChunks(context, () => deleteRows(db, accountId, { ...table, limit: CHUNK_ROWS }))
	for (const erase of personalData.erasure.erase) found += await inChunks(context, () => erase(db, user, CHUNK_ROWS))
	return found
}
