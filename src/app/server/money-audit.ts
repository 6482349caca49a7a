import { setTimeout as sleep } from 'node:timers/promises'
import { auditAllOwners } from '#features/campaigns/server/service.ts'
import {
	auditWalletsAllOwners,
	findLastAuditAllOwners,
	insertAuditAllOwners,
	type Finding,
} from '#features/wallet/server/service.ts'
import { scanAllOwners } from '#lib/server/all-owners.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'

const INTERVAL_MS = 3_600_000
const TIMEOUT_MS = 600_000
/** A distributed database may show two tables at different moments: what is found is looked at again after this. */
const CONFIRM_MS = 500
const MAX_LOGGED = 100

/**
 * Proves, on any database, that all money adds up: wallets and ledgers, statements, receipts, campaigns and their messages.
 * Each half sees one moment of the database, whatever is being sent meanwhile. A sound database yields nothing.
 */
export async function auditMoney(db: Db): Promise<Finding[]> {
	const wallets = await transaction(db, auditWalletsAllOwners, { timeoutMs: TIMEOUT_MS })
	return [...wallets, ...(await auditCampaigns(db))]
}

/** Looks again at each account with findings, alone: that is one moment on a distributed database too. */
async function auditCampaigns(db: Db): Promise<Finding[]> {
	const audit = (only: Parameters<typeof auditAllOwners>[1]) =>
		transaction(db, (sql) => auditAllOwners(sql, only), { timeoutMs: TIMEOUT_MS })
	const owners = new Set((await scanAllOwners(db, audit)).map(({ owner }) => owner))
	const confirmed: Finding[] = []
	if (owners.size > 0) await sleep(CONFIRM_MS)
	for (const owner of owners) confirmed.push(...(await audit(owner)))
	return confirmed
}

/** Audits when the last audit is an hour old, and keeps what was found for /metrics. */
export async function auditMoneyHourly({ db, log }: { db: Db; log: Log }): Promise<void> {
	const last = await findLastAuditAllOwners(db)
	if (last && Date.now() - last.finishedAt.getTime() < INTERVAL_MS) return
	const startedAt = performance.now()
	const findings = await auditMoney(db)
	await insertAuditAllOwners(db, { findings, milliseconds: Math.round(performance.now() - startedAt) })
	for (const finding of findings.slice(0, MAX_LOGGED))
		log.error(finding, 'the reconciliation found a rule that does not hold')
}
