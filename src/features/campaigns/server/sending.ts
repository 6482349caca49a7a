import type { Jobs } from '#lib/server/jobs.ts'
import { startDispatcher, type DispatcherDeps } from './dispatcher.ts'
import { openCampaign, openCampaignJob, type OpenerDeps } from './opener.ts'
import { startSweeps } from './sweeps.ts'

export interface SendingDeps extends DispatcherDeps, OpenerDeps {
	jobs: Jobs
	/** Seconds until an unconfirmed message is failed and its money given back. */
	unknownAfter: number
}

/** Starts all that sends campaigns in this process: opening them at their time, driving senders, clearing up. */
export async function startSending(deps: SendingDeps): Promise<{ stop(): Promise<void> }> {
	await deps.jobs.work(openCampaignJob, (job) => openCampaign(deps, job))
	const dispatcher = await startDispatcher(deps)
	const sweeps = startSweeps(deps)
	return {
		async stop() {
			await Promise.all([dispatcher.stop(), sweeps.stop()])
		},
	}
}
