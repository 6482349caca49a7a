import { startReplicatedProduct } from '../servers/replicated-product.ts'
import { ADMIN_VARIABLES, startCampaigns, untilClaimed } from './campaigns.ts'
import { measure, resultOf } from './outcome.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SENDERS = 5
const RECIPIENTS = 600
const PER_SECOND = 20

export const failover: Scenario = {
	name: 'failover',
	about: 'the primary is killed in mid-campaign, and its synchronous standby promoted',
	missing: async () => null,
	run,
}

async function run({ log }: DrillOptions): Promise<DrillResult> {
	const product = await startReplicatedProduct({ isSynchronous: true }, { ...ADMIN_VARIABLES, LOG_LEVEL: 'silent' })
	const { db, simulator, servers, process } = product
	try {
		const given = { senders: SENDERS, recipients: RECIPIENTS, perSecond: PER_SECOND }
		await startCampaigns({ url: process.url, simulator, db }, given)
		await untilClaimed(db, (SENDERS * RECIPIENTS) / 3)
		const sent = Object.keys(await simulator.control.receivedCounts()).length
		await servers.primary.kill()
		await servers.promote()
		const promotedAt = performance.now()
		log(`the primary was killed after ${sent} messages, and the standby is promoted`)
		await untilClaimed(db, sent + (SENDERS * RECIPIENTS) / 10)
		log(`sending has resumed ${((performance.now() - promotedAt) / 1000).toFixed(1)} s after the promotion`)
		return resultOf(await measure({ db, simulator }))
	} finally {
		await product.close()
	}
}
