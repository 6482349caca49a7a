import type { Db } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { addJobs, handlerOf, jobKind, listJobs, type JobHandler } from '#lib/server/jobs/jobs.ts'
import { openCampaign, type OpenerDeps } from './open.ts'
import { listDueAllAccounts, type DueCampaign } from './transition-queries.ts'

/**
 * Opens one campaign. One job per account at a time, so that a hanging upload delays no other account. A job that fails for the
 * last time is added again by `queueOpenings`.
 */
const openJob = jobKind<DueCampaign>('open-campaign', { total: 8, each: 1, maxDelaySeconds: 60 })

const SCAN_LIMIT = 100

/** Adds a job for each due campaign without one, at most SCAN_LIMIT a call. Returns the number of added jobs. */
export async function queueOpenings(db: Db): Promise<number> {
	const except = (await listJobs(db, openJob)).map(({ campaignId }) => campaignId)
	const due = await scanAllAccounts(db, (only) => listDueAllAccounts(db, { except, limit: SCAN_LIMIT, only }))
	await addJobs(db, openJob, due)
	return due.length
}

/** Returns the handlers that open campaigns. */
export const openingHandlers = (deps: OpenerDeps): JobHandler<object>[] => [
	handlerOf(openJob, ({ data }) => openCampaign(deps, data)),
]
