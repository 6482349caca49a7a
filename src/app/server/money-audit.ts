import { auditAllOwners } from '#features/campaigns/server/settlement/reconciliation-queries.ts'
import {
	auditWallets,
	findLastAuditAllOwners,
	insertAuditAllOwners,
	type Finding,
} from '#features/wallet/server/service.ts'
import type { Db } from '#lib/server/db.ts'
import { jobKind, type Jobs } from '#lib/server/jobs.ts'
import type { Log } from '#lib/server/log.ts'

const auditJob = jobKind<object>('money-audit')
const HOUR_MS = 3_600_000

/**
 * Proves, on any database, that all money adds up: wallets and ledgers, statements, receipts, campaigns and their messages.
 * Each half sees one moment of the database, whatever is being sent meanwhile. A sound database yields nothing.
 */
export async function auditMoney(db: Db): Promise<Finding[]> {
	return [...(await auditWallets(db)), ...(await auditAllOwners(db))]
}

/** Audits now and every hour, on one of all processes, and keeps what was found for /metrics. */
export async function startMoneyAudit({ db, jobs, log }: { db: Db; jobs: Jobs; log: Log }): Promise<void> {
	await jobs.work(auditJob, async () => {
		const began = performance.now()
		const findings = await auditMoney(db)
		await insertAuditAllOwners(db, { findings, milliseconds: Math.round(performance.now() - began) })
		for (const finding of findings.slice(0, 100)) log.error(finding, 'the money audit found a broken promise')
	})
	await jobs.every(auditJob, '23 * * * *')
	const last = await findLastAuditAllOwners(db)
	if (!last || Date.now() - last.finishedAt.getTime() > HOUR_MS) await jobs.add(db, auditJob, { data: {} })
}
