import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsSince, readiness, startReplicatedProduct } from '../servers/replicated-product.ts'
import { until } from '../until.ts'
import { ADMIN_VARIABLES, startCampaigns, untilClaimed } from './campaigns.ts'
import { measure, resultOf } from './outcome.ts'
import type { DrillOptions, DrillResult, Scenario } from './scenario.ts'

const SENDERS = 5
const RECIPIENTS = 600
const PER_SECOND = 20
const GONE_MS = 20_000
const NOTICED_MS = 15_000

export const standby: Scenario = {
	name: 'standby',
	about: 'the only synchronous standby is killed in mid-campaign, and comes back after 20 seconds',
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
		const goneAt = performance.now()
		await servers.standby.kill()
		await until(async () => (await readiness(process.url)).status === 503, NOTICED_MS, 100)
		log(`the standby is gone; not ready ${((performance.now() - goneAt) / 1000).toFixed(1)} s later`)
		const opened = await connectionsSince(db)
		await sleep(GONE_MS - (performance.now() - goneAt))
		const openedWhileGone = await opened()
		await servers.standby.start()
		log('the standby is back')
		const result = resultOf(await measure({ db, simulator }))
		return { ...result, others: { 'connections opened while commits waited': openedWhileGone } }
	} finally {
		await product.close()
	}
}
