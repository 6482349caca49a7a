import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import * as queries from './reconciliation-queries.ts'
import type { Finding } from './reconciliation-queries.ts'

/** Ledger entries that one query checks; it goes on to the end of their part of the statement. */
const ENTRIES_AT_ONCE = 20_000

/**
 * Proves of a wallet that its ledger, statement and receipts agree, in what was posted since a time, or in all of it. Yields no
 * finding for what is being posted meanwhile, as each query reads one moment, and only the last part still grows.
 */
export async function reconcileWallet(
	db: Db,
	accountId: AccountId,
	{ since, entriesAtOnce = ENTRIES_AT_ONCE }: { since: Date | null; entriesAtOnce?: number },
): Promise<Finding[]> {
	const findings = await queries.checkBalance(db, accountId)
	if (since === null) findings.push(...(await queries.checkUnassigned(db, accountId)))
	let from = since === null ? 0 : await queries.findFirstEntrySince(db, accountId, since)
	while (from !== null && findings.length < queries.MAX_FINDINGS) {
		const to = await queries.findPartAfter(db, accountId, { from, count: entriesAtOnce })
		findings.push(...(await queries.checkEntries(db, accountId, { from, to })))
		from = to
	}
	return findings
}

/** Receipts of all accounts are numbered together: while they are counted, none is given. */
export async function reconcileReceiptNumbers(db: Db): Promise<Finding[]> {
	return transaction(db, async (sql) => {
		const given = await queries.lockReceiptNumberAllAccounts(sql)
		const found = await queries.countReceiptsAllAccounts(sql)
		if (!found || Object.values(found).every((value) => value === given)) return []
		const { receipts, numbers, last } = found
		const detail = `${receipts} receipts, ${numbers} numbers up to ${last}, counter at ${given}`
		return [{ accountId: null, rule: 'receipts are numbered from 1 without a gap', detail }]
	})
}
