import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reconcileMoney } from '#app/server/reconciliation.ts'
import { chats } from '#features/chats/contract.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { wallet } from '#features/wallet/contract.ts'
import { refunds } from '#features/wallet/refund-contract.ts'
import { getWallet } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { account } from '#test/factories.ts'
import { sendingAccount, startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { exhaustFloor } from '#test/refunds.ts'
import { until } from '#test/until.ts'
import { settleChats, type ChatUpdate } from './settlement/settle.ts'
import { lockChatReports } from './settlement/status-reports.ts'
import { sweepExpiredChats, sweepUnconfirmedChats } from './settlement/sweeps.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const PRICE_PAISE = 100

let product: Product
before(async () => {
	product = await startProduct()
})
after(() => product.close())

const newSender = (balancePaise: number) => sendingAccount(product, { contacts: 0, balancePaise })

function sendTemplate(sender: Account, given: { number?: string; requestId?: string; var1?: string } = {}) {
	const { number = '919800000001', requestId, var1 = 'Asha' } = given
	const body = { number, templateId: sender.templateId, variables: { var1 }, ...(requestId && { requestId }) }
	return call(product.process.url, chats.sendTemplate, { body, token: sender.token })
}

const walletOf = (sender: Account) => getWallet(product.db, sender.ownerId)
const settle = (sender: Account, ...updates: ChatUpdate[]) =>
	transaction(product.db, (sql) => settleChats(sql, sender.ownerId, updates))

function update(id: string, status: ChatUpdate['status'], given: Partial<ChatUpdate> = {}): ChatUpdate {
	return { id: Number(id), status, at: new Date(), wamid: null, errorCode: null, error: null, ...given }
}

test('a template is sent with its variables, shown as it reads, and costs its price once when it is accepted', async () => {
	const sender = await newSender(1000)
	const requestId = randomUUID()
	const { status, body } = await sendTemplate(sender, { requestId })
	assert.equal(status, 200, body.message)
	assert.equal(body.newMessage.text, 'Hello Asha, welcome!')
	assert.equal(body.newMessage.kind, 'template')
	const again = await sendTemplate(sender, { requestId })
	assert.equal(again.body.newMessage.id, body.newMessage.id)
	assert.equal((await sendTemplate(sender, { requestId, number: '919800000002' })).status, 409)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000 - PRICE_PAISE, heldPaise: 0 })
	const { messages } = await product.simulator.control.received('919800000001')
	assert.match(JSON.stringify(messages.at(-1)?.payload), /"text":"Asha"/)
	const spending = await call(product.process.url, wallet.spending, {
		params: { userId: sender.userId },
		token: sender.token,
	})
	assert.deepEqual([spending.body.total, spending.body.days[0]?.marketing], [1, 1])
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test("a chat's templates are named on the statement and in its export, as campaigns are", async () => {
	const sender = await newSender(1000)
	await sendTemplate(sender)
	const given = { params: { userId: sender.userId }, token: sender.token }
	const { lines } = (await call(product.process.url, wallet.statement, { ...given, query: { page: 1 } })).body
	const about = lines.map(({ kind, campaign, messageCount, notes }) => [kind, campaign, messageCount, notes])
	assert.deepEqual(about.slice(0, 2), [
		['capture', null, 1, 'Templates sent from chats'],
		['hold', null, 1, 'Templates sent from chats'],
	])
	const file = await call(product.process.url, wallet.exportStatement, given)
	assert.match(await file.body.text(), /,Charge,,1,0\.00,-1\.00,9\.00,0\.00,Templates sent from chats,/)
})

test('a template that the wallet cannot pay returns 402 with both amounts and writes nothing', async () => {
	const sender = await newSender(PRICE_PAISE - 1)
	const { status, body } = await sendTemplate(sender)
	assert.equal(status, 402)
	assert.match(body.message ?? '', /₹1\.00.*₹0\.99/)
	const rows = await product.db`select 1 from chat_messages where account_id = ${sender.ownerId}`
	assert.equal(rows.length, 0)
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE - 1, heldPaise: 0 })
})

test('ten templates sent at once never overdraw the wallet', async () => {
	const sender = await newSender(3 * PRICE_PAISE)
	const numbers = Array.from({ length: 10 }, (_, index) => `9198000010${String(index).padStart(2, '0')}`)
	const answers = await Promise.all(numbers.map((number) => sendTemplate(sender, { number })))
	assert.equal(answers.filter(({ status }) => status === 200).length, 3)
	assert.equal(answers.filter(({ status }) => status === 402).length, 7)
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test('a refused template gives its price back at once, and an accepted one when it is reported failed', async () => {
	const sender = await newSender(1000)
	// So that no report of a delivery comes before that of the failure.
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	await product.simulator.control.addFault({ call: 'messages', to: '919800000003', kind: 'error', code: 131026 })
	const { body: refused } = await sendTemplate(sender, { number: '919800000003' })
	assert.equal(refused.newMessage.status, 'failed')
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
	const { body: accepted } = await sendTemplate(sender, { number: '919800000004' })
	const failed = update(accepted.newMessage.id, 'failed', { errorCode: 131049, error: 'Not delivered' })
	await product.db`
		update chat_messages set status = 'sent' where account_id = ${sender.ownerId} and id = ${accepted.newMessage.id}
	`
	await settle(sender, failed, failed)
	await settle(sender, failed)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test('a template without an answer is not sent again, is refunded after the time-out, and paid for if it proves delivered', async () => {
	const sender = await newSender(PRICE_PAISE)
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	await product.simulator.control.addFault({
		call: 'messages',
		to: '919800000005',
		kind: 'drop',
		accepted: true,
		times: 1,
	})
	const { body } = await sendTemplate(sender, { number: '919800000005' })
	const { id } = body.newMessage
	assert.equal(body.newMessage.status, 'pending')
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: PRICE_PAISE })
	await sweepUnconfirmedChats({ db: product.db, log: product.process.context.log, unknownAfter: -1 })
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	const [row] = await product.db`select status, error from chat_messages where id = ${id}`
	assert.deepEqual(row, { status: 'failed', error: 'Delivery could not be confirmed' })
	await product.simulator.control.releaseWebhooks({ waba_id: sender.credentials.waba_id })
	await until(async () => (await walletOf(sender)).availablePaise === 0)
	assert.equal(await product.simulator.control.acceptedWith(`chat:${id}`), 1)
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test('a late confirmation that the wallet cannot pay for is free, and a later failure refunds nothing', async () => {
	const sender = await newSender(PRICE_PAISE)
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	await product.simulator.control.addFault({
		call: 'messages',
		to: '919800000006',
		kind: 'drop',
		accepted: true,
		times: 1,
	})
	const { body } = await sendTemplate(sender, { number: '919800000006' })
	await sweepUnconfirmedChats({ db: product.db, log: product.process.context.log, unknownAfter: -1 })
	const spent = await sendTemplate(sender, { number: '919800000007' })
	assert.equal(spent.status, 200)
	await settle(sender, update(body.newMessage.id, 'sent'))
	await settle(sender, update(body.newMessage.id, 'failed', { errorCode: 131026, error: 'Gone' }))
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test('a template that is accepted and not delivered within thirty days is refunded once', async () => {
	const sender = await newSender(2 * PRICE_PAISE)
	const { ownerId } = sender
	await product.simulator.control.addFault({ call: 'messages', to: '919800000010', kind: 'silent' })
	const { body: silent } = await sendTemplate(sender, { number: '919800000010' })
	const { body: delivered } = await sendTemplate(sender, { number: '919800000011' })
	const statusOf = async (id: string) =>
		(await product.db`select status from chat_messages where id = ${id}`)[0]?.status
	await until(async () => ['delivered', 'read'].includes(String(await statusOf(delivered.newMessage.id))))
	const deps = { db: product.db, log: product.process.context.log }
	await sweepExpiredChats(deps)
	assert.equal(await statusOf(silent.newMessage.id), 'sent', 'thirty days have not passed')
	await product.db`update chat_messages set sent_at = sent_at - interval '31 days' where account_id = ${ownerId}`
	await product.db`update senders set reported_through = reported_through - interval '31 days' where account_id = ${ownerId}`
	for (let sweep = 0; sweep < 2; sweep++) await sweepExpiredChats(deps)
	assert.equal(await statusOf(silent.newMessage.id), 'failed')
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await reconcileMoney(product.db), [])
})

test('a template of a sender that gets no reports is not refunded, however long ago it was sent', async () => {
	const sender = await newSender(PRICE_PAISE)
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	await sendTemplate(sender, { number: '919800000012' })
	await product.db`update chat_messages set sent_at = sent_at - interval '90 days' where account_id = ${sender.ownerId}`
	await sweepExpiredChats({ db: product.db, log: product.process.context.log })
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
	await product.simulator.control.releaseWebhooks({ waba_id: sender.credentials.waba_id })
})

test('a marketing template is refused for a number that opted out, and every template for what is not complete', async () => {
	const sender = await newSender(1000)
	await optOutNumbers(product.db, sender.ownerId, { numbers: ['919800000008'], because: 'manual' })
	const optedOut = await sendTemplate(sender, { number: '919800000008' })
	assert.equal(optedOut.status, 400)
	assert.match(optedOut.body.message ?? '', /opted out/)
	assert.equal((await sendTemplate(sender, { var1: '' })).status, 400)
	assert.equal((await sendTemplate(sender, { var1: 'a\nb' })).status, 400)
	assert.match((await sendTemplate(sender, { var1: '{{firstName}}' })).body.message ?? '', /may hold no \{\{…\}\}/)
	const footer = JSON.stringify([{ type: 'FOOTER', text: 'Reply STOP to opt out' }])
	await product.db`update templates set components = components || ${footer}::jsonb where account_id = ${sender.ownerId}`
	assert.match((await sendTemplate(sender, { var1: 'x'.repeat(1024) })).body.message ?? '', /WhatsApp takes 1,024/)
	assert.equal((await sendTemplate(sender, { number: 'nobody' })).status, 400)
	await product.db`update templates set gone_at = now() where account_id = ${sender.ownerId}`
	assert.match((await sendTemplate(sender)).body.message ?? '', /no longer exists/)
	await product.db`update templates set status = 'PAUSED', gone_at = null where account_id = ${sender.ownerId}`
	assert.equal((await sendTemplate(sender)).status, 400)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
})

test('lockChatReports returns the chat of a message that WhatsApp refuses with 131050, though the report names no number', async () => {
	const sender = await newSender(1000)
	const { body } = await sendTemplate(sender)
	const report = {
		id: 'wamid.1',
		status: 'failed',
		timestamp: '1790000000',
		recipient_id: '',
		biz_opaque_callback_data: `chat:${body.newMessage.id}`,
		errors: [{ code: 131050 }],
	}
	const { others, optedOut } = await transaction(product.db, (sql) => lockChatReports(sql, sender.ownerId, [report]))
	assert.deepEqual([others, optedOut], [[], ['919800000001']])
})

test('refunds of templates above the measure wait, a late confirmation takes one back, and the books prove after a refusal', async () => {
	const sender = await newSender(10 * PRICE_PAISE)
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	await exhaustFloor(product.db, sender.ownerId)
	const ids: string[] = []
	for (let n = 0; n < 4; n++) {
		const { body } = await sendTemplate(sender, { number: `91980000200${n}` })
		ids.push(body.newMessage.id)
	}
	const failed = ids.map((id) => update(id, 'failed', { errorCode: 131026, error: 'Gone', isReport: true }))
	await settle(sender, ...failed)
	await settle(sender, ...failed)
	assert.equal((await walletOf(sender)).availablePaise, 6 * PRICE_PAISE)
	await settle(sender, update(ids[0] ?? '', 'delivered'))
	assert.equal((await walletOf(sender)).availablePaise, 6 * PRICE_PAISE, 'it was still charged')
	assert.deepEqual(await reconcileMoney(product.db), [])
	const admin = await account(product.process.context, { role: 'admin' })
	const url = product.process.url
	const list = await call(url, refunds.refundsToCheck, { query: { page: 1 }, token: admin.token })
	const waiting = list.body.refunds.find(({ userId }) => userId === sender.userId)
	assert.deepEqual([waiting?.campaign, waiting?.messages, waiting?.amount], [null, 3, 3])
	const decision = { campaignId: null, price: 1, reason: 'reported', decisions: 0 } as const
	const given = { params: { userId: sender.userId }, token: admin.token }
	const approved = await call(url, refunds.decideRefund, {
		...given,
		body: { ...decision, decision: 'approve', messages: 2 },
	})
	assert.equal(approved.body.message, '₹2.00 refunded')
	assert.equal((await walletOf(sender)).availablePaise, 8 * PRICE_PAISE)
	await call(url, refunds.decideRefund, {
		...given,
		body: { ...decision, decision: 'refuse', messages: 1, decisions: 1 },
	})
	assert.equal((await walletOf(sender)).availablePaise, 8 * PRICE_PAISE)
	assert.deepEqual(await reconcileMoney(product.db), [])
})
