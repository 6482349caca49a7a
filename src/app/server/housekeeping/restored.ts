import { randomBytes } from 'node:crypto'
import {
	claimUnsentOfAll,
	getLatestIdAllAccounts as getLatestMessageId,
} from '#features/chats/server/sending/outbound-queries.ts'
import { openRestoreGenerationAllAccounts } from '#features/delivery/server/message/restore-generation-queries.ts'
import {
	getLatestIdAllAccounts as getLatestCampaignId,
	skipLostIdsAllAccounts,
} from '#features/delivery/server/restore/restore-queries.ts'
import { holdRestored, type RestoredAccount } from '#features/delivery/server/restore/restored.ts'
import { findLatestReceiptAllAccounts, type LatestReceipt } from '#features/wallet/server/receipts/receipt-queries.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { listAccountsAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { listAliveWorkers } from '#lib/server/jobs/workers.ts'

export interface Restored {
	accounts: (RestoredAccount & { accountId: AccountId; chatMessages: number })[]
	/** Latest receipt in the backup; null without receipts. */
	latestReceipt: LatestReceipt | null
}

/**
 * Prepares a database restored from a backup. Messages that may have been sent since the backup wait for their
 * account's decision, late status updates of lost messages match nothing, and lost ids are not reused. Idempotent;
 * throws while a worker runs.
 */
export async function prepareRestored({ db, notify }: { db: Db; notify: Notify }): Promise<Restored> {
	const workers = await listAliveWorkers(db)
	if (workers.length > 0)
		throw new Error(`Stop the product first: a worker still runs on this database (${workers.join(', ')}).`)
	const accounts: Restored['accounts'] = []
	for (const accountId of await listAccountsAllAccounts(db)) {
		const held = await transaction(db, async (sql) => ({
			chatMessages: await claimUnsentOfAll(sql, accountId),
			...(await holdRestored(sql, accountId, notify)),
		}))
		accounts.push({ accountId, ...held })
	}
	const [lastCampaignId, lastChatMessageId] = [await getLatestCampaignId(db), await getLatestMessageId(db)]
	await transaction(db, async (sql) => {
		await openRestoreGenerationAllAccounts(sql, {
			generation: randomBytes(4).toString('hex'),
			lastCampaignId,
			lastChatMessageId,
		})
		await skipLostIdsAllAccounts(sql)
	})
	return { accounts, latestReceipt: await findLatestReceiptAllAccounts(db) }
}
