import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, before, test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { createCloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { startProductChild } from '#test/child-process.ts'
import { findFreePort } from '#test/free-port.ts'
import { moneyFindings, sendingAccount, startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { sendMessage } from './sending/send.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const PRICE_PAISE = 100
/** Limit in milliseconds for a settlement. The sweep and the matching of late status updates each run every four seconds. */
const SETTLE_TIMEOUT_MS = 20_000

let product: Product
let child: ChildProcess | null = null
before(async () => {
	product = await startProduct({ env: { UNKNOWN_AFTER: '4' } })
})
after(async () => {
	child?.kill('SIGKILL')
	await product.close()
})

const newSender = () => sendingAccount(product, { contacts: 0, balancePaise: 1000 })

function sendTemplate(sender: Account, { number, url = product.process.url }: { number: string; url?: string }) {
	const body = { number, templateId: sender.templateId, variables: { var1: 'Asha' } }
	return call(url, chats.sendTemplate, { body, token: sender.token })
}

async function messageOf(sender: Account) {
	const [row] = await product.db<{ status: string; wamid: string | null }[]>`
		select o.status, o.wamid from chat_messages m
		join campaign_messages o on o.account_id = m.account_id and o.campaign_id = m.campaign_id
		where m.account_id = ${sender.accountId}
	`
	return row
}

/** Faults of the network for one message, with its final status. */
const FAULTS: { title: string; fault: Fault; end: 'delivered' | 'failed'; accepted: number }[] = [
	{ title: 'a lost answer', fault: { kind: 'drop', accepted: true }, end: 'delivered', accepted: 1 },
	{
		title: 'a 5xx for an accepted message',
		fault: { kind: 'server-error', accepted: true },
		end: 'delivered',
		accepted: 1,
	},
	{
		title: 'a 5xx for a message that was not accepted',
		fault: { kind: 'server-error', accepted: false },
		end: 'failed',
		accepted: 0,
	},
	{
		title: 'an error for an accepted message',
		fault: { kind: 'error', code: 131000, accepted: true },
		end: 'delivered',
		accepted: 1,
	},
	{
		title: 'status updates that come before the answer',
		fault: { kind: 'delay', ms: 1500, accepted: true },
		end: 'delivered',
		accepted: 1,
	},
	{ title: 'a limit of the number', fault: { kind: 'error', code: 130429 }, end: 'delivered', accepted: 1 },
	{
		title: 'status updates without our id',
		fault: { kind: 'webhook-without-callback-data' },
		end: 'delivered',
		accepted: 1,
	},
	{ title: 'status updates in the wrong order', fault: { kind: 'webhook-reorder' }, end: 'delivered', accepted: 1 },
	{ title: 'status updates that come twice', fault: { kind: 'webhook-duplicate' }, end: 'delivered', accepted: 1 },
	{ title: 'a later failure', fault: { kind: 'fail-later', code: 131026 }, end: 'failed', accepted: 1 },
]

for (const [index, { title, fault, end, accepted }] of FAULTS.entries()) {
	test(`a template after ${title} is ${end}, is accepted ${accepted ? 'once' : 'never'}, and is charged only when it is delivered`, async () => {
		const sender = await newSender()
		const number = `91980001000${index}`
		const { phone_number_id } = sender.credentials
		await product.simulator.control.setStatusPlan({ phone_number_id, readRate: 0 })
		await product.simulator.control.addFault({ call: 'messages', times: 1, ...fault, to: number })
		const { status, body } = await sendTemplate(sender, { number })
		assert.equal(status, 200, body.message)
		await until(async () => (await messageOf(sender))?.status === end, SETTLE_TIMEOUT_MS)
		assert.equal((await product.simulator.control.received(number)).accepted, accepted)
		const availablePaise = end === 'delivered' ? 1000 - PRICE_PAISE : 1000
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})
}

test('chats.send fails with the advice to try again, under none of WhatsApp’s codes, when WhatsApp cannot be reached', async () => {
	const { accountId } = await newSender()
	const cloudApi = createCloudApi({ url: `http://127.0.0.1:${await findFreePort()}`, version: 'v25.0' })
	const context = { ...product.process.context, cloudApi }
	const { status, error } = await sendMessage(context, accountId, { number: '919800000001', message: 'Hello' })
	await cloudApi.close()
	assert.deepEqual([status, error], ['failed', 'WhatsApp could not be reached. Try again in a minute.'])
	const [row] = await product.db<{ code: number }[]>`
		select error_code as code from chat_messages where account_id = ${accountId}
	`
	assert.equal(row?.code, OWN_ERRORS.unreachable.code)
})

test('a template is sent and charged once when the process is killed right after taking the order', async () => {
	const sender = await newSender()
	const number = '919800020001'
	await product.simulator.control.setStatusPlan({ phone_number_id: sender.credentials.phone_number_id, readRate: 0 })
	await product.simulator.control.addFault({ call: 'messages', to: number, kind: 'delay', ms: 1500 })
	const url = await startServer()
	const sending = sendTemplate(sender, { number, url }).catch(() => null)
	await until(async () => (await messageOf(sender))?.status !== undefined)
	child?.kill('SIGKILL')
	assert.equal(await sending, null)
	await until(async () => (await messageOf(sender))?.status === 'delivered', SETTLE_TIMEOUT_MS)
	assert.equal((await product.simulator.control.received(number)).accepted, 1)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 1000 - PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

/** Starts another HTTP process, which the test can kill. */
async function startServer(): Promise<string> {
	const port = String(await findFreePort())
	const url = `http://127.0.0.1:${port}`
	const env = { ...process.env, ...product.env, ROLE: 'http', PORT: port, PUBLIC_URL: product.process.url }
	child = await startProductChild(env, url)
	return url
}
