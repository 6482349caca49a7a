import { scanAndConfirm } from '#lib/server/all-owners.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import * as queries from './reconciliation-queries.ts'
import type { Finding } from './reconciliation-queries.ts'

/** It reads every entry of every ledger. */
const TIMEOUT_MS = 600_000

/** Proves of every wallet that its ledger, statement and receipts agree. What is being posted meanwhile yields no finding. */
export async function reconcileWallets(db: Db): Promise<Finding[]> {
	const found = await scanAndConfirm(db, (owner) =>
		transaction(
			db,
			async (sql) => [
				...(await queries.reconcileBalancesAllOwners(sql, owner)),
				...(await queries.reconcileLedgersAllOwners(sql, owner)),
			],
			{ timeoutMs: TIMEOUT_MS },
		),
	)
	return [...found, ...(await reconcileReceiptNumbers(db))]
}

/** Receipts of all accounts are numbered together: while they are counted, none is given. */
async function reconcileReceiptNumbers(db: Db): Promise<Finding[]> {
	return transaction(db, async (sql) => {
		const given = await queries.lockReceiptNumberAllOwners(sql)
		const found = await queries.countReceiptsAllOwners(sql)
		if (!found || Object.values(found).every((value) => value === given)) return []
		const { receipts, numbers, last } = found
		const detail = `${receipts} receipts, ${numbers} numbers up to ${last}, counter at ${given}`
		return [{ owner: null, rule: 'receipts are numbered from 1 without a gap', detail }]
	})
}
