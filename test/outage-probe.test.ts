import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { until } from './until.ts'

let product: Product
let folder: string
const systemFolder = process.env.TMPDIR
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'send-logs-'))
	process.env.TMPDIR = folder
	product = await startProduct({ env: { UNKNOWN_AFTER: '2' } })
})
afterEach(() => product.simulator.control.clearFaults())
after(async () => {
	if (systemFolder === undefined) delete process.env.TMPDIR
	else process.env.TMPDIR = systemFolder
	await product.close()
	await rm(folder, { recursive: true, force: true })
})

/**
 * Refused messages of three senders until all know of one another's outage: five begin a sender's, and three probes of each
 * follow. Then the senders wait for one probe in four seconds, four times: longer than the ten seconds for which a sender
 * without work keeps its lease.
 */
const REFUSED = 3 * (5 + 3) + 4
/** Maximum time in milliseconds until these messages are refused; it takes half a minute. */
const REFUSED_MS = 180_000

/** Returns the number of messages that the network has refused since faults were last cleared. */
async function countRefused(): Promise<number> {
	const applied = await product.simulator.control.appliedFaults()
	return applied.reduce((sum, { times }) => sum + times, 0)
}

/** Waits until the network has refused this number of messages since the call. */
async function untilRefused(count: number): Promise<void> {
	const wanted = (await countRefused()) + count
	await until(async () => (await countRefused()) >= wanted, REFUSED_MS)
}

test('a sender in an outage continues to probe when the send log of a probe has been removed', async () => {
	const sender = await sendingAccount(product, { contacts: 200, perSecond: 80 })
	const { phone_number_id } = sender.credentials
	const campaignId = await startCampaign(product, sender)
	const campaign = { ...sender, campaignId }
	await campaignWhen(product, campaign, ({ pending }) => pending < 180)
	await product.simulator.control.addFault({ phone_number_id, kind: 'server-error', accepted: false, status: 503 })
	await campaignWhen(product, campaign, ({ waitingReason }) => waitingReason !== null)
	for (const name of await readdir(folder))
		if (name.startsWith('send-log-')) await rm(join(folder, name), { force: true })
	await untilRefused(2)
	await product.simulator.control.clearFaults()
	await campaignWhen(product, campaign, ({ status }) => status === 'completed')
})

test('three senders in an outage keep their leases while they wait for one another’s probes', async () => {
	const senders = await Promise.all([0, 1, 2].map(() => sendingAccount(product, { contacts: 60, perSecond: 4 })))
	await product.simulator.control.addFault({ kind: 'server-error', accepted: false, status: 503 })
	const accountIds = senders.map(({ accountId }) => accountId)
	for (const sender of senders) await startCampaign(product, sender)
	await untilRefused(REFUSED)
	const rows = await product.db<{ epoch: number }[]>`
		select lease_epoch as epoch from senders where account_id = any(${accountIds}::bigint[])
	`
	assert.deepEqual(
		rows.map(({ epoch }) => epoch),
		[1, 1, 1],
	)
})
