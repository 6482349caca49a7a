import { reconcileCampaignsAllOwners } from '#features/campaigns/server/service.ts'
import { reconcileChatsAllOwners } from '#features/chats/server/service.ts'
import {
	reconcileWallets,
	findLastReconciliationAllOwners,
	insertReconciliationAllOwners,
	type Finding,
} from '#features/wallet/server/service.ts'
import { scanAndConfirm } from '#lib/server/all-owners.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'

const INTERVAL_MS = 3_600_000
const TIMEOUT_MS = 600_000
const MAX_LOGGED = 100

/**
 * Proves, on any database, that all money adds up: wallets and ledgers, statements, receipts, campaigns and their messages.
 * Each half sees one moment of the database, whatever is being sent meanwhile. A sound database yields nothing.
 */
export async function reconcileMoney(db: Db): Promise<Finding[]> {
	const campaigns = await scanAndConfirm(db, (owner) =>
		transaction(db, (sql) => reconcileCampaignsAllOwners(sql, owner), { timeoutMs: TIMEOUT_MS }),
	)
	const chats = await scanAndConfirm(db, (owner) =>
		transaction(db, (sql) => reconcileChatsAllOwners(sql, owner), { timeoutMs: TIMEOUT_MS }),
	)
	return [...(await reconcileWallets(db)), ...campaigns, ...chats]
}

/** Reconciles if the last reconciliation is an hour old, and stores the findings for /metrics. */
export async function reconcileMoneyHourly({ db, log }: { db: Db; log: Log }): Promise<void> {
	const last = await findLastReconciliationAllOwners(db)
	if (last && Date.now() - last.finishedAt.getTime() < INTERVAL_MS) return
	const startedAt = performance.now()
	const findings = await reconcileMoney(db)
	await insertReconciliationAllOwners(db, { findings, milliseconds: Math.round(performance.now() - startedAt) })
	for (const finding of findings.slice(0, MAX_LOGGED))
		log.error(finding, 'the reconciliation found a rule that does not hold')
}
