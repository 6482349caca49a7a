import { setTimeout as sleep } from 'node:timers/promises'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startSendingProduct } from '../programs/sending-product.ts'

/** Messages a second at Meta's highest level; campaigns use 95 % of it. */
const PACE = 1000
const LATENCY_MS = 50
/** Sending has warmed up after this many consecutive seconds close to its maximum. */
const STEADY_SECONDS = 5
const MIN_STEADY = 0.9 * 0.95 * PACE
const MAX_WARM_UP_SECONDS = 40
/** Number of rounds. Rounds with and without the reconciliation alternate, so that both meet the same conditions. */
const ROUNDS = 3
const ROUND_SECONDS = 10
/** Seconds of sending for which the campaign has recipients to spare, because time passes between rounds. */
const EXTRA_SECONDS = 20
const STATUSES = { sentMs: 300, deliveredMs: 800, readMs: 2000, jitter: 0.3, readRate: 0.7, failRate: 0 }

export interface BesideSending {
	/** Messages sent in each second. */
	without: number[]
	beside: number[]
	runs: number
}

/**
 * Sends a campaign at full pace, with statuses arriving, and counts the messages of each second. In half of the rounds
 * `reconcile` runs repeatedly in the same process, as in the elected worker.
 */
export async function measureBesideSending(
	databaseUrl: string,
	reconcile: () => Promise<void>,
): Promise<BesideSending> {
	const product = await startSendingProduct(databaseUrl)
	const { control } = product.simulator
	try {
		await control.setStatusPlan(STATUSES)
		await control.setLatency({ minMs: LATENCY_MS, maxMs: LATENCY_MS })
		const contacts = PACE * (MAX_WARM_UP_SECONDS + 2 * ROUNDS * ROUND_SECONDS + EXTRA_SECONDS)
		const sender = await sendingAccount(product, { contacts, perSecond: PACE })
		await control.setThroughput({ phone_number_id: sender.credentials.phone_number_id, level: 'HIGH' })
		await startCampaign(product, sender)
		const accepted = async () => (await control.counters()).accepted
		await warmUp(accepted)
		return await measureRounds(accepted, reconcile)
	} finally {
		await product.stop()
	}
}

async function warmUp(accepted: () => Promise<number>): Promise<void> {
	let steady = 0
	for (let second = 0; second < MAX_WARM_UP_SECONDS && steady < STEADY_SECONDS; second++) {
		const [rate = 0] = await measureSeconds(accepted, 1)
		steady = rate < MIN_STEADY ? 0 : steady + 1
	}
}

async function measureRounds(accepted: () => Promise<number>, reconcile: () => Promise<void>): Promise<BesideSending> {
	const result: BesideSending = { without: [], beside: [], runs: 0 }
	for (let round = 0; round < ROUNDS; round++) {
		result.without.push(...(await measureSeconds(accepted, ROUND_SECONDS)))
		const ending = new AbortController()
		const reconciling = (async () => {
			for (; !ending.signal.aborted; result.runs++) await reconcile()
		})()
		result.beside.push(...(await measureSeconds(accepted, ROUND_SECONDS)))
		ending.abort()
		await reconciling
	}
	return result
}

async function measureSeconds(accepted: () => Promise<number>, seconds: number): Promise<number[]> {
	const rates: number[] = []
	let [count, at] = [await accepted(), performance.now()]
	while (rates.length < seconds) {
		await sleep(1000)
		const [nextCount, nextAt] = [await accepted(), performance.now()]
		rates.push((nextCount - count) / ((nextAt - at) / 1000))
		;[count, at] = [nextCount, nextAt]
	}
	return rates
}
