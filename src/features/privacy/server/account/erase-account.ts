import { eraseUser, recordErasure, updateErased } from '#features/auth/server/retention/erasure-queries.ts'
import { cancelAllCampaigns } from '#features/delivery/server/lifecycle/transitions.ts'
import { eraseFinalized } from '#features/delivery/server/months/month-queries.ts'
import { finalizeCampaigns } from '#features/delivery/server/months/months.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { deleteMentioning } from '#features/notifications/server/queries.ts'
import { listDueForErasure, type DeletedUser } from '#features/users/server/deleted-queries.ts'
import { eraseRecharges } from '#features/wallet/server/ledger.ts'
import { listAdminAccountsAllAccounts, sumWaiting } from '#features/wallet/server/refund-queries.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { forEachAccount, inChunks, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import { deleteRows } from './account-queries.ts'
import { ERASED_TABLES } from './erased-tables.ts'

/** Maximum number of rows per transaction, so that no transaction holds its locks for long. */
const CHUNK_ROWS = 2000
/** Maximum number of passes per run. Data that arrives during a pass requires another one; the next run continues. */
const MAX_PASSES = 10
const ACCOUNTS_AT_ONCE = 10_000

interface ErasureContext extends SweepContext {
	storage: AccountStorage
	/** Days for which a deleted account's data is retained; 0 for ever. */
	keepAccountDays: number
}

/** Erases deleted accounts whose retention has ended and that have no money left to settle. */
export async function eraseDeletedAccounts(context: ErasureContext): Promise<void> {
	const { db, keepAccountDays: days } = context
	if (days === 0) return
	const due = await listDueForErasure(db, { days, limit: ACCOUNTS_AT_ONCE })
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
		await noteErased(context, user)
		log.info({ accountId, rows: total }, 'the data of a deleted account was erased')
		break
	}
	return total
}

async function noteErased({ db }: ErasureContext, { id, deletedAt }: DeletedUser): Promise<void> {
	await transaction(db, async (sql) => {
		await updateErased(sql, id)
		await recordErasure(sql, id, `user ID ${id}, deleted on ${deletedAt.toISOString().slice(0, 10)}`)
	})
}

/** Cancels campaigns and finalizes their books. Returns the reason why the erasure must wait, or null. */
async function settleAll({ db }: ErasureContext, accountId: AccountId): Promise<string | null> {
	await transaction(db, (sql) => cancelAllCampaigns(sql, accountId, 'The account was deleted by an administrator.'))
	if ((await sumWaiting(db, accountId)) > 0) return 'an admin has to decide on its refunds'
	const unfinalized = await finalizeCampaigns(db, accountId, { firstId: 0, endId: Number.MAX_SAFE_INTEGER })
	return unfinalized && `campaign ${unfinalized.campaignId}: ${unfinalized.reason}`
}

async function erasePass(context: ErasureContext, { id, accountId, name }: DeletedUser): Promise<number> {
	const { db, storage } = context
	const waiting = notificationOf.refundsWaiting({ name }).text
	for (const admin of await listAdminAccountsAllAccounts(db)) await deleteMentioning(db, admin, [waiting])
	let found = 0
	for await (const { key } of storage.list(String(accountId))) {
		if (context.signal?.aborted) return found
		await storage.delete(key)
		found++
	}
	for (const table of ERASED_TABLES)
		found += await inChunks(context, () => deleteRows(db, accountId, { ...table, limit: CHUNK_ROWS }))
	found += await inChunks(context, () => eraseFinalized(db, accountId, CHUNK_ROWS))
	found += await inChunks(context, () => eraseRecharges(db, accountId, CHUNK_ROWS))
	return found + (await eraseUser(db, id))
}
