import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { MAX_FINDINGS, type Finding } from './ledger.ts'
import * as queries from './reconciliation-queries.ts'

/** Ledger entries per query; a query continues to the end of its statement part. */
const ENTRIES_AT_ONCE = 20_000

/**
 * Checks that a wallet's ledger, statement and receipts agree, since a time or in full; stops after the query that
 * reaches `MAX_FINDINGS` findings. Concurrent posting causes no finding: each query reads one snapshot, and only the
 * last part grows.
 */
export async function reconcileWallet(
	db: Db,
	accountId: AccountId,
	{ since, entriesAtOnce = ENTRIES_AT_ONCE }: { since: Date | null; entriesAtOnce?: number },
): Promise<Finding[]> {
	const findings = await queries.checkBalance(db, accountId)
	if (since === null) findings.push(...(await queries.checkUnassigned(db, accountId)))
	let from = since === null ? 0 : await queries.findFirstEntrySince(db, accountId, since)
	while (from !== null && findings.length < MAX_FINDINGS) {
		const to = await queries.findPartAfter(db, accountId, { from, count: entriesAtOnce })
		findings.push(...(await queries.checkEntries(db, accountId, { from, to })))
		from = to
	}
	return findings
}

/**
 * Checks the numbers of receipts and of each series of tax invoices and of their notes. Locks the counters, so that no receipt is
 * issued.
 */
export async function reconcileReceiptNumbers(db: Db): Promise<Finding[]> {
	return transaction(db, async (sql) => {
		const given = await queries.lockReceiptNumbersAllAccounts(sql)
		const found = await queries.countReceiptsAllAccounts(sql)
		const series = new Set([...given.keys(), ...found.map((counted) => counted.series)])
		return [...series].flatMap((name) => {
			const { receipts, numbers, last } = found.find((counted) => counted.series === name) ?? NO_RECEIPTS
			const counter = given.get(name) ?? 0
			if ([receipts, numbers, last].every((value) => value === counter)) return []
			const detail = `${name}: ${receipts} receipts, ${numbers} numbers up to ${last}, counter at ${counter}`
			return [{ accountId: null, rule: 'receipts are numbered from 1 without a gap', detail }]
		})
	})
}

const NO_RECEIPTS = { receipts: 0, numbers: 0, last: 0 }
