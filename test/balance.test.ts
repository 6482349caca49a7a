import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { SupervisedProcess } from './soak/supervised-process.ts'
import { START_TIMEOUT_MS } from './until.ts'

const SENDERS = 30
const RECIPIENTS = 300
/** Messages a second of each campaign; slow, so that the campaigns outlast the test. */
const PER_SECOND = 1
const ACCOUNTS_AT_ONCE = 4
const BALANCE_TIMEOUT_MS = 120_000
/** Maximum time until all senders send again. On an idle machine it is 10 to 13 s. */
const TAKEOVER_TIMEOUT_MS = 120_000
/** Messages of one sender after which it counts as sending again: more than a killed worker can have in flight. */
const SENT_AGAIN = 3

let product: Product
const workers: SupervisedProcess[] = []

before(async () => {
	// This process prepares data and receives webhooks; it does not send.
	product = await startProduct({ env: { ROLE: 'http' } })
})
after(async () => {
	await Promise.all(workers.map((worker) => worker.stop()))
	await product.close()
})

test(`${SENDERS} senders are shared evenly by three workers, and all send again after a worker's kill -9`, async (t) => {
	await startCampaigns()
	await startWorker()
	await waitFor('one worker to hold every sender', START_TIMEOUT_MS, async () => hasShares([SENDERS]))
	await startWorker()
	await startWorker()
	const share = SENDERS / 3
	const balancedMs = await waitFor('an even share for each of three', BALANCE_TIMEOUT_MS, async () =>
		hasShares([share, share, share]),
	)
	t.diagnostic(`balanced ${(balancedMs / 1000).toFixed(1)} s after the third worker's start: ${await describeShares()}`)

	await workers[0]?.kill()
	const atKill = await countSent()
	const takeoverMs = await waitFor('every sender to send again', TAKEOVER_TIMEOUT_MS, async () => {
		const now = await countSent()
		return Object.keys(now).length === SENDERS && Object.keys(now).every((phone) => hasSent(phone, { atKill, now }))
	})
	t.diagnostic(`all sent again ${(takeoverMs / 1000).toFixed(1)} s after the kill: ${await describeShares()}`)
	const [campaigns] = await product.db<{ finished: number }[]>`
		select count(*)::int as finished from campaigns where finished_at is not null
	`
	assert.equal(campaigns?.finished, 0, 'the campaigns outlast the test')
})

async function startCampaigns(): Promise<void> {
	let left = SENDERS
	const prepare = async () => {
		while (left-- > 0) {
			const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PER_SECOND })
			await startCampaign(product, sender)
		}
	}
	await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, prepare))
}

/** Starts a worker and resolves when it is in the table of workers. */
async function startWorker(): Promise<void> {
	workers.push(new SupervisedProcess({ env: { ...product.env, ROLE: 'worker' } }))
	await waitFor(`worker ${workers.length} to start`, START_TIMEOUT_MS, async () => {
		const [row] = await product.db<{ count: number }[]>`select count(*)::int as count from workers`
		return row?.count === workers.length
	})
}

/** Returns the numbers of senders that the workers hold, in ascending order. */
async function readShares(): Promise<number[]> {
	const rows = await product.db<{ senders: number }[]>`
		select count(*)::int as senders from senders where lease_worker is not null group by lease_worker order by 1
	`
	return rows.map(({ senders }) => senders)
}

async function hasShares(wanted: number[]): Promise<boolean> {
	const shares = await readShares()
	const isComplete = shares.reduce((sum, share) => sum + share, 0) === SENDERS
	return (
		isComplete && shares.length === wanted.length && shares.every((share, i) => Math.abs(share - (wanted[i] ?? 0)) <= 2)
	)
}

async function describeShares(): Promise<string> {
	return (await readShares()).join(':')
}

/** Returns the numbers of accepted messages by phone number. */
async function countSent(): Promise<Record<string, number>> {
	return (await product.simulator.control.counters()).by_phone_number
}

function hasSent(phone: string, { atKill, now }: Record<'atKill' | 'now', Record<string, number>>): boolean {
	return (now[phone] ?? 0) - (atKill[phone] ?? 0) >= SENT_AGAIN
}

/** Waits until `isSo` holds. Returns the time it took in milliseconds; throws after the timeout. */
async function waitFor(what: string, timeoutMs: number, isSo: () => Promise<boolean>): Promise<number> {
	const startedAt = performance.now()
	while (!(await isSo())) {
		if (performance.now() - startedAt > timeoutMs) {
			assert.fail(`waited ${timeoutMs / 1000} s for ${what}; the workers hold ${await describeShares()}`)
		}
		await sleep(50)
	}
	return performance.now() - startedAt
}
