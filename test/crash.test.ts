import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { payments } from '#features/payments/contract.ts'
import { startProductChild } from './child-process.ts'
import { account } from './factories.ts'
import { findFreePort } from './free-port.ts'
import { moneyFindings, campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { call } from './http-app.ts'
import { until } from './until.ts'

const RECIPIENTS = 2000
const KILLS = 4
const PAYMENTS = 6
const PAYMENT_RUPEES = 500

let product: Product
let env: Record<string, string>
let child: ChildProcess | null = null

before(async () => {
	// This process only prepares data. Another process, which can be killed, serves and sends.
	const port = await findFreePort()
	product = await startProduct({ env: { ROLE: 'http' }, payments: true })
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

test('payments whose worker is killed while it reads them from the provider are credited once by the next worker', async () => {
	const { db, simulator } = product
	const { accountId, token } = await account(product.process.context)
	const url = product.process.url
	for (let index = 0; index < PAYMENTS; index++) {
		const body = { amount: PAYMENT_RUPEES, requestId: randomUUID() }
		const { status } = await call(url, payments.create, { body, token })
		assert.equal(status, 200)
	}
	await simulator.control.addFault({ call: 'razorpay.payment', kind: 'hang', accepted: true })
	const links = await simulator.control.paymentLinks()
	for (const { id } of links) await simulator.control.payLink({ id })
	const applied = async () => (await simulator.control.appliedFaults()).length
	await until(async () => (await applied()) > 0)
	assert.ok(child)
	child.kill('SIGKILL')
	await once(child, 'exit')
	const [killed] = await db<{ credits: number }[]>`
		select count(*) as credits from ledger_entries where account_id = ${accountId}
	`
	assert.equal(killed?.credits, 0, 'the worker dies between the word of the provider and the ledger')
	// The time after which another worker repeats the checks of a dead one has passed.
	await db`update payments set check_at = now() where account_id = ${accountId}`
	await simulator.control.clearFaults()
	child = await startProductChild(env)
	await until(async () => {
		const open = await db`select 1 from payments where account_id = ${accountId} and state <> 'paid'`
		return open.length === 0
	})
	await simulator.control.resendPaymentEvents()
	await simulator.control.waitIdle()
	await until(async () => {
		const due =
			await db`select 1 from payments where account_id = ${accountId} and check_at < now() + interval '1 hour'`
		return due.length === 0
	})
	const credits = await db`select 1 from ledger_entries where account_id = ${accountId} and kind = 'recharge'`
	const [wallet] = await db<{ paise: number }[]>`
		select available_paise as paise from wallets where account_id = ${accountId}
	`
	assert.deepEqual([credits.length, wallet?.paise], [PAYMENTS, PAYMENTS * PAYMENT_RUPEES * 100])
	assert.deepEqual(await moneyFindings(db), [])
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
