import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'

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
	await sleep(6000)
	await product.simulator.control.clearFaults()
	await campaignWhen(product, campaign, ({ status }) => status === 'completed')
})

test('three senders in an outage keep their leases while they wait for one another’s probes', async () => {
	const senders = await Promise.all([0, 1, 2].map(() => sendingAccount(product, { contacts: 60, perSecond: 4 })))
	await product.simulator.control.addFault({ kind: 'server-error', accepted: false, status: 503 })
	const accountIds = senders.map(({ accountId }) => accountId)
	for (const sender of senders) await startCampaign(product, sender)
	await sleep(45_000)
	const rows = await product.db<{ epoch: number }[]>`
		select lease_epoch as epoch from senders where account_id = any(${accountIds}::bigint[])
	`
	assert.deepEqual(
		rows.map(({ epoch }) => epoch),
		[1, 1, 1],
	)
})
