import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/server/db.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign } from './full-stack.ts'
import {
	connectionsSince,
	readiness,
	startReplicatedProduct,
	type ReplicatedProduct,
} from './servers/replicated-product.ts'
import { until } from './until.ts'

/** Recipients for a campaign that lasts some seconds; `npm run drill -- standby` has thousands. */
const RECIPIENTS = 200
const PER_SECOND = 20
const NOTICED_MS = 60_000
const RECOVERED_MS = 60_000
/** Time in which heartbeats that wait are given up and sent again over new connections. */
const STALL_MS = 4000
/** Time without a claim after which none is in progress: the worker claims twenty times as often. */
const QUIET_MS = 1000

async function startSending(product: ReplicatedProduct): Promise<number> {
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PER_SECOND })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ pending }) => pending < RECIPIENTS - 10)
	return campaignId
}

async function untilSentOnce({ db, simulator }: ReplicatedProduct, campaignId: number): Promise<void> {
	// The checks in the middle of the campaign are done, so the rest is sent fast.
	await db`update senders set messages_per_second = 1000`
	const isDone = async () =>
		(await db`select 1 from campaigns where id = ${campaignId} and status = 'completed'`).length === 1
	await until(isDone, RECOVERED_MS, 100)
	const counts = Object.values(await simulator.control.receivedCounts())
	assert.deepEqual([counts.length, counts.every((count) => count === 1)], [RECIPIENTS, true])
	await until(async () => (await moneyFindings(db)).length === 0, RECOVERED_MS, 500)
}

const claimed = async (db: Db) =>
	Number((await db<{ n: number }[]>`select sum(claimed_through)::int8 as n from campaigns`)[0]?.n)

const metric = async (url: string, name: string) =>
	Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1])

test('a process logs the loss of its synchronous standby, opens no more connections, and continues when the standby is back', async (t) => {
	const product = await startReplicatedProduct({ isSynchronous: true })
	t.after(product.close)
	const { db, process, servers, lines } = product
	const campaignId = await startSending(product)
	await servers.standby.kill()
	try {
		await until(async () => (await readiness(process.url)).status === 503, NOTICED_MS, 100)
		assert.match((await readiness(process.url)).text, /synchronous standby that does not answer.*standby_one/)
		assert.ok((await metric(process.url, 'database_commit_wait_seconds')) > 2)
		const opened = await connectionsSince(db)
		await sleep(STALL_MS)
		assert.equal(await opened(), 0)
		const said = () => lines.filter(({ msg }) => msg === 'writing waits, and no more connections are opened')
		assert.equal(said().length, 1)
	} finally {
		await servers.standby.start()
	}
	await until(async () => (await readiness(process.url)).status === 200, RECOVERED_MS, 100)
	await untilSentOnce(product, campaignId)
	await until(async () => (await metric(process.url, 'database_commit_wait_seconds')) === 0)
})

test('with MAX_UNREPLICATED_S no message is claimed while an asynchronous standby is further behind', async (t) => {
	const product = await startReplicatedProduct({ isSynchronous: false }, { MAX_UNREPLICATED_S: '2' })
	t.after(product.close)
	const { db, process, servers, lines } = product
	const campaignId = await startSending(product)
	servers.standby.freeze()
	await until(() => lines.some(({ msg }) => msg === 'sending waits'), NOTICED_MS)
	// A claim may be in progress.
	let before = -1
	const hasStopped = async () => {
		const last = before
		before = await claimed(db)
		return before === last
	}
	await until(hasStopped, NOTICED_MS, QUIET_MS)
	assert.ok(before < RECIPIENTS)
	assert.ok((await metric(process.url, 'database_unreplicated_seconds')) > 2)
	await sleep(STALL_MS)
	assert.equal(await claimed(db), before)
	assert.equal((await readiness(process.url)).status, 200)
	servers.standby.freeze(false)
	await untilSentOnce(product, campaignId)
})
