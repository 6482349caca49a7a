import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { connect } from '#lib/server/db.ts'
import { findSchemaDifference } from '#lib/server/db/schema/schema.ts'
import { openDatabase } from './open-database.ts'

/**
 * `npm run audit:money`: proves that every wallet, statement, receipt and campaign adds up, in the database of DATABASE_URL or
 * the one under DATA_DIR. Lists the differences by account and then exits with 1. Only reads.
 */
const { url, stop } = await openDatabase()
const db = connect(url, { max: 1, name: 'audit:money' })

try {
	process.exitCode = await reconcile()
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 2
} finally {
	await db.end()
	await stop()
}

async function reconcile(): Promise<number> {
	const difference = await findSchemaDifference(db)
	if (difference) throw new Error(difference.problem)
	const began = performance.now()
	const findings = await reconcileMoney(db)
	const [size] = await db<{ accounts: number; entries: number; campaigns: number }[]>`
		select (select count(*) from wallets) as accounts, (select count(*) from ledger_entries) as entries,
			(select count(*) from campaigns) as campaigns
	`
	const seconds = ((performance.now() - began) / 1000).toFixed(1)
	for (const [accountId, broken] of Map.groupBy(findings, (finding) => finding.accountId)) {
		console.log(accountId === null ? 'All accounts' : `Account ${accountId}`)
		for (const { rule, detail } of broken) console.log(`  ${rule}: ${detail}`)
	}
	const examined = `${size?.accounts} accounts, ${size?.entries} ledger entries, ${size?.campaigns} campaigns in ${seconds} s`
	console.log(findings.length === 0 ? `OK: ${examined}` : `${findings.length} findings in ${examined}`)
	return findings.length === 0 ? 0 : 1
}
