import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { createLog } from '#lib/server/log.ts'
import { sendingAccount, startCampaign } from '../full-stack.ts'
import type { Deployment } from './deployment.ts'
import { addNetworkFaults } from './network-faults.ts'
import { paceOf, type SoakOptions } from './options.ts'

const STATUSES = { sentMs: 100, deliveredMs: 400, readMs: 1000, readRate: 0.5, failRate: 0, jitter: 0.5 }
const ACCOUNTS_AT_ONCE = 4

/** Creates one account with one campaign for each sender. On return all are processing and the faults are active. */
export async function startCampaigns(deployment: Deployment, options: SoakOptions): Promise<void> {
	const { simulator, env, databaseUrl } = deployment
	// The preparing process is not tested: it bypasses the proxy and ends before the first event.
	const settings = readEnv({ ...env, ROLE: 'http', PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' })
	const process = await startProcess(settings, createLog(settings.LOG_LEVEL), { kind: 'production' })
	try {
		await simulator.setStatusPlan(STATUSES)
		const given = { contacts: options.recipients, perSecond: paceOf(options) }
		const senders: Awaited<ReturnType<typeof sendingAccount>>[] = []
		let left = options.senders
		const prepare = async () => {
			while (left-- > 0) senders.push(await sendingAccount({ process, simulator: { control: simulator } }, given))
		}
		await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, prepare))
		await addNetworkFaults(simulator, options)
		for (const sender of senders) await startCampaign({ process }, sender)
	} finally {
		await process.stop()
	}
}
