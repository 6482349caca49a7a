import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import { transaction, type AccountId, type Db } from '#lib/server/db.ts'
import * as queries from './reconciliation-queries.ts'

/**
 * Returns the findings where the money of an account's replies and its ledger disagree. Compares holds always, and costs, for
 * which it reads all replies, only when `isFull`.
 */
export async function reconcileReplies(
	db: Db,
	accountId: AccountId,
	{ isFull }: { isFull: boolean },
): Promise<Finding[]> {
	const findings = await transaction(db, (sql) => queries.checkHolds(sql, accountId), { isByKey: true })
	if (isFull) findings.push(...(await queries.checkCharges(db, accountId)))
	return findings.slice(0, MAX_FINDINGS)
}
