import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { startProductChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { moneyFindings, campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'

const RECIPIENTS = 2000
const KILLS = 4

let product: Product
let env: Record<string, string>
let child: ChildProcess | null = null

before(async () => {
	// This process only prepares data. Another process, which can be killed, serves and sends.
	const port = await findFreePort()
	product = await startProduct({ env: { ROLE: 'http' } })
	env = { ...product.env, ROLE: 'all', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, UNKNOWN_AFTER: '4' }
})
after(() => product.close())

test(`workers killed ${KILLS} times at random moments send each message once and leave no reconciliation finding`, async (t) => {
	const sender = await preparedAccount(RECIPIENTS)
	const campaignId = await startCampaign(product, sender)
	for (let kill = 0; kill < KILLS; kill++) {
		child = await startProductChild(env)
		await sleep(200 + Math.random() * 700)
		child.kill('SIGKILL')
		await once(child, 'exit')
	}
	child = await startProductChild(env)
	const campaign = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'completed')
	await product.simulator.control.waitIdle()
	const done = await campaignWhen(product, { ...sender, campaignId }, (c) => c.sent === 0)

	const received = await product.simulator.control.receivedCounts()
	const numbers = Object.values(received)
	assert.ok(
		numbers.every((count) => count === 1),
		'nobody got it twice',
	)
	const rows = await product.db<{ number: string; errorCode: number }[]>`
		select number, error_code as "errorCode" from campaign_messages
		where account_id = ${sender.accountId} and campaign_id = ${campaignId} and status = 'failed'
	`
	assert.ok(rows.every((row) => !received[row.number] && row.errorCode === OWN_ERRORS.unconfirmed.code))
	assert.equal(numbers.length + rows.length, RECIPIENTS, 'each recipient got the message, or it failed')
	assert.equal(done.delivered + done.read, numbers.length)
	assert.deepEqual(await moneyFindings(product.db), [])
	t.diagnostic(`${numbers.length} received, ${rows.length} could not be confirmed, ${campaign.total} in all`)
})

test('a worker that gets SIGTERM in the middle of a campaign settles the messages in flight and exits with 0', async () => {
	const sender = await preparedAccount(400)
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (campaign) => campaign.pending < 300)
	assert.ok(child)
	child.kill('SIGTERM')
	const [code] = (await once(child, 'exit')) as [number | null]
	assert.equal(code, 0)
	const [left] = await product.db<{ claims: number; unknown: number }[]>`
		select (select count(*) from message_claims where account_id = ${sender.accountId}) as claims,
			(select count(*) from unsettled_messages where account_id = ${sender.accountId} and unknown_since is not null) as unknown
	`
	assert.deepEqual({ ...left }, { claims: 0, unknown: 0 })
	child = await startProductChild(env)
	const campaign = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'completed')
	assert.equal(campaign.failed, 0)
	assert.deepEqual(await moneyFindings(product.db), [])
})

/** Creates an account whose webhooks go to the process that will be killed. */
async function preparedAccount(contacts: number) {
	const sender = await sendingAccount(product, { contacts, perSecond: 400 })
	const [row] = await product.db<{ key: string }[]>`
		select webhook_key as key from senders where account_id = ${sender.accountId}
	`
	const url = `${env.PUBLIC_URL}/api/webhooks/whatsapp/${row?.key}`
	await product.simulator.control.subscribe({ waba_id: sender.credentials.waba_id, url })
	return sender
}
