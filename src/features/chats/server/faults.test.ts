import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, before, test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { replies } from '#features/replies/contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { createCloudApi } from '#features/whatsapp/server/graph-client.ts'
import { transaction } from '#lib/server/db.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { startProductChild } from '#test/child-process.ts'
import { findFreePort } from '#test/free-port.ts'
import { moneyFindings, sendingAccount, startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { sendMessage } from './sending/send.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const PRICE_PAISE = 100

let product: Product
let child: ChildProcess | null = null
before(async () => {
	product = await startProduct({ env: { UNKNOWN_AFTER: '4' }, statuses: { readRate: 1 } })
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
		await until(async () => (await messageOf(sender))?.status === end)
		assert.equal((await product.simulator.control.received(number)).accepted, accepted)
		const availablePaise = end === 'delivered' ? 1000 - PRICE_PAISE : 1000
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})
}

test('chats.send fails with a code of the product and the advice to try again when WhatsApp cannot be reached', async () => {
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
	await until(async () => (await messageOf(sender))?.status === 'delivered')
	assert.equal((await product.simulator.control.received(number)).accepted, 1)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 1000 - PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

/**
 * Creates an account with ₹10.00 that pays ₹0.12 for each reply. The network charges the replies of a month after the first
 * `free`.
 */
async function payingSender(free: number, balancePaise = 1000) {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise })
	await product.db`update prices set service_paise = ${REPLY_PAISE} where account_id = ${sender.accountId}`
	await product.simulator.control.setBilling({ waba_id: sender.credentials.waba_id, free_service_messages: free })
	return sender
}

const sendReply = (sender: Account, number: string, url = product.process.url) =>
	call(url, chats.send, { body: { number, message: 'Hello' }, token: sender.token })
const balancesOf = async ({ accountId }: Account) => {
	const { availablePaise, heldPaise } = await getWallet(product.db, accountId)
	return [availablePaise, heldPaise]
}
const chargesOf = async ({ accountId }: Account) =>
	(
		await product.db<{ state: string }[]>`select state from reply_charges where account_id = ${accountId} order by 1`
	).map(({ state }) => state)

const REPLY_PAISE = 12
let people = 0
/** Opens the service window of a new number. */
async function newCustomer({ credentials: { phone_number_id } }: Account): Promise<string> {
	const number = `9198000300${String(++people).padStart(2, '0')}`
	await product.simulator.control.sendInbound({ phone_number_id, from: number, content: { body: 'Hi' } })
	return number
}

const REPLIES: { title: string; free: number; fault?: Fault; state: string; available: number; held?: number }[] = [
	{ title: 'within the allowance', free: 1, state: 'returned', available: 1000 },
	{ title: 'beyond the allowance', free: 0, state: 'charged', available: 988 },
	{ title: 'after a lost answer', free: 0, fault: { kind: 'drop', accepted: true }, state: 'charged', available: 988 },
	{
		title: 'that WhatsApp refuses',
		free: 0,
		fault: { kind: 'error', code: 131026 },
		state: 'returned',
		available: 1000,
	},
	{
		title: 'that fails later',
		free: 0,
		fault: { kind: 'fail-later', code: 131026 },
		state: 'returned',
		available: 1000,
	},
	{
		title: 'whose updates come twice',
		free: 0,
		fault: { kind: 'webhook-duplicate' },
		state: 'charged',
		available: 988,
	},
	{
		title: 'whose updates come in the wrong order',
		free: 0,
		fault: { kind: 'webhook-reorder' },
		state: 'charged',
		available: 988,
	},
	{
		title: 'whose updates have no pricing',
		free: 0,
		fault: { kind: 'webhook-without-pricing' },
		state: 'held',
		available: 988,
		held: 12,
	},
]

for (const { title, free, fault, state, available, held = 0 } of REPLIES) {
	test(`the price of a reply ${title} is ${state}`, async () => {
		const sender = await payingSender(free)
		const number = await newCustomer(sender)
		if (fault) await product.simulator.control.addFault({ call: 'messages', times: 1, ...fault, to: number })
		const { status, body } = await sendReply(sender, number)
		assert.equal(status, 200, body.message)
		await product.simulator.control.waitIdle()
		await until(async () => (await chargesOf(sender)).join() === state)
		await until(async () => (await balancesOf(sender)).join() === `${available},${held}`)
		assert.deepEqual(await moneyFindings(product.db), [])
	})
}

test('chats.send returns 402 with both amounts and writes nothing when the wallet is short', async () => {
	const sender = await payingSender(0, 11)
	const number = await newCustomer(sender)
	const { status, body } = await sendReply(sender, number)
	assert.equal(status, 402)
	assert.equal(body.message, 'This message costs ₹0.12 and your wallet has ₹0.11. Please recharge your wallet.')
	assert.equal((await product.simulator.control.received(number)).accepted, 0)
	assert.deepEqual([await messagesOf(sender, 'out'), await balancesOf(sender)], [[], [11, 0]])
})

test('a reply without a price has no charge and moves no money', async () => {
	const sender = await newSender()
	const number = await newCustomer(sender)
	const { status } = await sendReply(sender, number)
	assert.equal(status, 200)
	await until(async () => (await statusOf(sender)) === 'read')
	assert.deepEqual([await chargesOf(sender), await balancesOf(sender)], [[], [1000, 0]])
})

const PRICE = { kind: 'keyword' as const, phrases: ['price'], text: 'It costs 80', monthlyLimit: 5 }

test('the confirmation of an opt-out and an automatic reply cost a reply; while the wallet is short, only the confirmation is written, and fails with the reason', async () => {
	for (const { said, balancePaise, status, balances } of ['STOP', 'What is the price?'].flatMap((text) => [
		{ said: text, balancePaise: 100, status: 'read', balances: [88, 0] },
		{ said: text, balancePaise: 5, status: text === 'STOP' ? 'failed' : undefined, balances: [5, 0] },
	])) {
		const sender = await payingSender(0, balancePaise)
		const settings = { confirms: true, optOutText: 'You are out.', optInText: 'Welcome back.' }
		await call(product.process.url, chats.saveSettings, { body: settings, token: sender.token })
		await call(product.process.url, replies.addAutomatic, { body: PRICE, token: sender.token })
		const { phone_number_id } = sender.credentials
		const from = `9198000400${String(++people).padStart(2, '0')}`
		const say = (body: string) => product.simulator.control.sendInbound({ phone_number_id, from, content: { body } })
		await say(said)
		// A reply is written together with the message that it answers.
		await until(async () => (await messagesOf(sender, 'in')).length > 0 && (await statusOf(sender)) === status)
		await until(async () => (await balancesOf(sender)).join() === balances.join())
		if (status === 'read') continue
		const error = 'This message costs ₹0.12 and your wallet has ₹0.05. Please recharge your wallet.'
		assert.deepEqual(await messagesOf(sender, 'out'), status === undefined ? [] : [{ status, error }])
		await transaction(product.db, (sql) => postRecharge(sql, sender.accountId, { reference: from, amountPaise: 100 }))
		await say(said.replace('STOP', 'START'))
		await until(async () => (await balancesOf(sender)).join() === '93,0')
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('the price of a reply returns when the process is killed before the reply reaches WhatsApp', async () => {
	const sender = await payingSender(0)
	const number = await newCustomer(sender)
	await product.simulator.control.addFault({ call: 'messages', to: number, kind: 'delay', ms: 60_000 })
	const url = await startServer()
	const sending = sendReply(sender, number, url).catch(() => null)
	await until(async () => (await chargesOf(sender)).length === 1)
	assert.deepEqual(await balancesOf(sender), [988, 12])
	child?.kill('SIGKILL')
	assert.equal(await sending, null)
	await until(async () => (await statusOf(sender)) === 'failed')
	assert.deepEqual([await chargesOf(sender), await balancesOf(sender)], [['returned'], [1000, 0]])
	assert.deepEqual(await moneyFindings(product.db), [])
})

async function messagesOf({ accountId }: Account, direction: 'in' | 'out') {
	return product.db<{ status: string; error: string | null }[]>`
		select status, error from chat_messages where account_id = ${accountId} and direction = ${direction}
	`
}

async function statusOf(account: Account): Promise<string | undefined> {
	return (await messagesOf(account, 'out'))[0]?.status
}

/** Starts another HTTP process, which the test can kill. */
async function startServer(): Promise<string> {
	const port = String(await findFreePort())
	const url = `http://127.0.0.1:${port}`
	const env = { ...process.env, ...product.env, ROLE: 'http', PORT: port, PUBLIC_URL: product.process.url }
	child = await startProductChild(env, url)
	return url
}
