import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { getMonthAllAccounts } from '#features/delivery/server/months/month-queries.ts'
import { FIRST_MONTH } from '#features/delivery/server/months/month.ts'
import { removeOldMonths } from '#features/delivery/server/months/months.ts'
import { connect, type Db } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startSendingProduct } from '../programs/sending-product.ts'
import type { Scene } from './scene.ts'

/** Messages a second at Meta's highest level; campaigns use 95 % of it. */
const PACE = 1000
const LATENCY_MS = 50
const STATUSES = { sentMs: 300, deliveredMs: 800, readMs: 2000, jitter: 0.3, readRate: 0.7, failRate: 0 }
const WARM_UP_MS = 15_000
const QUIET_MS = 20_000
/** Number of contacts: enough for two minutes of sending at PACE. */
const CONTACTS = 40_000
const CAMPAIGNS = 4
const LOOK_MS = 20
/** Maximum number of attempts to remove a month. The product retries ten minutes later, the benchmark immediately. */
const MAX_ATTEMPTS = 50

/** Effect on sending during a period. */
export interface Felt {
	/** Longest claim, in milliseconds. */
	claimMs: number
	/** Longest time without a sent message, in milliseconds. */
	stallMs: number
}

export interface Removal {
	/**
	 * Milliseconds for each month: finalizing its campaigns, which locks nothing, and the transaction that detaches its
	 * partitions.
	 */
	finalizeMs: number[]
	detachMs: number[]
	/** Number of attempts given up because the tables were locked for half a second. */
	gaveUp: number
	/** Effects on sending while no month was removed, while campaigns were finalized, and while partitions were detached. */
	quiet: Felt
	finalizing: Felt
	detaching: Felt
}

/** Removes the oldest months while a campaign is sent at full pace. */
export async function removeBesideSending(scene: Scene, months: number): Promise<Removal> {
	const product = await startSendingProduct(scene.database.url)
	const db = connect(scene.database.url, { name: 'removal' })
	const { control } = product.simulator
	try {
		await control.setStatusPlan(STATUSES)
		await control.setLatency({ minMs: LATENCY_MS, maxMs: LATENCY_MS })
		const sender = await sendingAccount(product, {
			contacts: CONTACTS,
			perSecond: PACE,
			balancePaise: CAMPAIGNS * CONTACTS * 100,
		})
		await control.setThroughput({ phone_number_id: sender.credentials.phone_number_id, level: 'HIGH' })
		for (let started = 0; started < CAMPAIGNS; started++) await startCampaign(product, sender)
		await sleep(WARM_UP_MS)
		const watch = watchSending(async () => (await control.counters()).accepted)
		try {
			await sleep(QUIET_MS)
			return { quiet: watch.take(), ...(await remove(db, { months, takeFelt: watch.take })) }
		} finally {
			await watch.end()
		}
	} finally {
		await db.end()
		await product.stop()
	}
}

async function remove(
	db: Db,
	{ months, takeFelt }: { months: number; takeFelt: () => Felt },
): Promise<Omit<Removal, 'quiet'>> {
	// Removes the first partition, which is empty here, and the next `months` months. 0 would remove nothing, therefore -1.
	const { today } = await getMonthAllAccounts(db)
	const keepMonths = today - FIRST_MONTH - months || -1
	const felt = { finalizing: [] as Felt[], detaching: [] as Felt[] }
	const finalizeMs: number[] = []
	const detachMs: number[] = []
	let at = performance.now()
	const lap = (of: Felt[]) => {
		of.push(takeFelt())
		const before = at
		at = performance.now()
		return at - before
	}
	let finalizingMs = 0
	const log = createLog('silent')
	log.info = () => {
		detachMs.push(lap(felt.detaching))
		if (detachMs.length > months) done.abort()
		finalizeMs.push(finalizingMs)
		finalizingMs = 0
	}
	const done = new AbortController()
	const copyOutcomes = async () => {
		finalizingMs += lap(felt.finalizing)
	}
	let gaveUp = 0
	while (!done.signal.aborted) {
		try {
			await removeOldMonths({ db, log, keepMonths, signal: done.signal, copyOutcomes })
		} catch (error) {
			lap(felt.detaching)
			if (++gaveUp === MAX_ATTEMPTS) throw error
		}
	}
	const [finalizing, detaching] = [worst(felt.finalizing), worst(felt.detaching)]
	return { finalizeMs: finalizeMs.slice(1), detachMs: detachMs.slice(1), gaveUp, finalizing, detaching }
}

function worst(felt: readonly Felt[]): Felt {
	return {
		claimMs: Math.max(...felt.map(({ claimMs }) => claimMs)),
		stallMs: Math.max(...felt.map(({ stallMs }) => stallMs)),
	}
}

/** Polls the number of sent messages many times a second, and measures each claim. */
function watchSending(accepted: () => Promise<number>): { take(): Felt; end(): Promise<void> } {
	let felt: Felt = { claimMs: 0, stallMs: 0 }
	const over = new AbortController()
	const send = Client.prototype.query as (...args: unknown[]) => unknown
	Client.prototype.query = async function timedQuery(this: unknown, ...args: unknown[]) {
		const [query] = args as [{ text?: string } | undefined]
		const startedAt = performance.now()
		const result = await send.apply(this, args)
		if (query?.text?.includes('insert into message_claims'))
			felt.claimMs = Math.max(felt.claimMs, performance.now() - startedAt)
		return result
	} as typeof Client.prototype.query
	const looking = (async () => {
		let [count, at] = [await accepted(), performance.now()]
		while (!over.signal.aborted) {
			await sleep(LOOK_MS)
			const now = await accepted()
			felt.stallMs = Math.max(felt.stallMs, performance.now() - at)
			if (now !== count) [count, at] = [now, performance.now()]
		}
	})()
	return {
		take() {
			const taken = felt
			felt = { claimMs: 0, stallMs: 0 }
			return taken
		},
		async end() {
			over.abort()
			await looking
			Client.prototype.query = send as typeof Client.prototype.query
		},
	}
}
