import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { sendTest } from '#features/campaigns/server/creation/single-message.ts'
import { chats } from '#features/chats/contract.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { pauseAllCampaigns } from '#features/delivery/server/service.ts'
import { statements } from '#features/statements/contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { launchProduct, moneyFindings, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const PRICE_PAISE = 100

const product = await launchProduct()

const newSender = (balancePaise = 1000) => sendingAccount(product, { contacts: 0, balancePaise })

function sendTemplate(sender: Account, given: { number?: string; requestId?: string; var1?: string } = {}) {
	const { number = '919800000001', requestId, var1 = 'Asha' } = given
	const body = { number, templateId: sender.templateId, variables: { var1 }, ...(requestId && { requestId }) }
	return call(product.process.url, chats.sendTemplate, { body, token: sender.token })
}

const walletOf = (sender: Account) => getWallet(product.db, sender.accountId)

/** Waits for the settlement, which may come after the call has returned. */
const untilSettled = (sender: Account) => until(async () => (await walletOf(sender)).heldPaise === 0)

const fault = (to: string, given: object) =>
	product.simulator.control.addFault({ call: 'messages', to, ...given } as Fault)

async function messagesWith(sender: Account, number: string) {
	return (await call(product.process.url, chats.messages, { params: { number }, token: sender.token })).body.messages
}

/** Returns the id by which the network knows the chat's message. */
async function callbackOf(id: string): Promise<string> {
	const [row] = await product.db`select campaign_id from chat_messages where id = ${id}`
	return product.process.context.restoreGenerations.mark(`campaign:${String(row?.campaign_id)}:1`)
}

test('chats.sendTemplate sends a template with its variables, shows the filled-in text, and costs its price once when it is accepted', async () => {
	const sender = await newSender()
	const requestId = randomUUID()
	const [{ status, body }, twin] = await Promise.all([
		sendTemplate(sender, { requestId }),
		sendTemplate(sender, { requestId }),
	])
	assert.equal(status, 200, body.message)
	assert.equal(twin.body.newMessage.id, body.newMessage.id)
	assert.equal(body.newMessage.text, 'Hello Asha, welcome!')
	assert.equal(body.newMessage.kind, 'template')
	await untilSettled(sender)
	const again = await sendTemplate(sender, { requestId })
	assert.equal(again.body.newMessage.id, body.newMessage.id)
	assert.equal((await sendTemplate(sender, { requestId, number: '919800000002' })).status, 409)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000 - PRICE_PAISE, heldPaise: 0 })
	const { messages } = await product.simulator.control.received('919800000001')
	assert.match(JSON.stringify(messages.at(-1)?.payload), /"text":"Asha"/)
	const params = { userId: sender.userId }
	const spending = await call(product.process.url, statements.spending, { params, token: sender.token })
	assert.deepEqual([spending.body.total, spending.body.days[0]?.marketing], [1, 1])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a chat’s template is in no list of campaigns and on no dashboard, and its campaign cannot be opened', async () => {
	const sender = await newSender()
	const { body } = await sendTemplate(sender)
	await untilSettled(sender)
	const { url } = product.process
	const { token } = sender
	const query = { page: 1, limit: 10, search: '', sort: 'createdAt', order: 'desc', tests: 'show' } as const
	assert.deepEqual((await call(url, campaigns.list, { query, token })).body.campaigns, [])
	const dashboard = (await call(url, dashboards.user, { token })).body
	assert.deepEqual([dashboard.running, dashboard.today.sent, dashboard.month.spent], [[], 0, 1])
	const id = (await callbackOf(body.newMessage.id)).split(':')[1] ?? ''
	for (const each of [campaigns.get, campaigns.pause, campaigns.cancel])
		assert.equal((await call(url, each, { params: { id }, token })).status, 404)
	const notices =
		await product.db`select text from notifications where account_id = ${sender.accountId} and link like '/campaign%'`
	assert.equal(notices.length, 0)
})

test('chats.sendTemplate works at the limit of unfinished campaigns, and chat templates do not count towards it', async () => {
	const sender = await newSender()
	const { accountId, templateId } = sender
	await product.db`
		insert into campaigns (account_id, name, status, template, audience_type, price_paise, opens_at)
		select ${accountId}, 'Later', 'pending', '{"name":"later","category":"UTILITY","components":[]}', 'all', 0, '2099-01-01'
		from generate_series(1, 500)
	`
	const order = () =>
		sendTest(product.db, accountId, { templateId, variables: { var1: 'Asha' }, number: '919800000026' })
	assert.equal((await sendTemplate(sender)).status, 200)
	await assert.rejects(order(), { status: 409 })
	await product.db`update campaigns set kind = 'chat' where account_id = ${accountId} and status = 'pending'`
	await order()
})

test('the statement and its export name a chat’s templates like campaigns', async () => {
	const sender = await newSender()
	await sendTemplate(sender)
	await untilSettled(sender)
	const given = { params: { userId: sender.userId }, token: sender.token }
	const { lines } = (await call(product.process.url, statements.list, { ...given, query: { page: 1 } })).body
	const about = lines.map(({ kind, campaign, messageCount, notes }) => [kind, campaign, messageCount, notes])
	assert.deepEqual(about.slice(0, 2), [
		['capture', null, 1, 'Templates sent from chats'],
		['hold', null, 1, 'Templates sent from chats'],
	])
	const file = await call(product.process.url, statements.export, given)
	assert.match(await file.body.text(), /,Spent,,1,0\.00,-1\.00,9\.00,0\.00,Templates sent from chats,/)
})

test('chats.sendTemplate returns 402 with both amounts and writes nothing when the wallet is short', async () => {
	const sender = await newSender(PRICE_PAISE - 1)
	const { status, body } = await sendTemplate(sender)
	assert.equal(status, 402)
	assert.equal(body.message, 'This message costs ₹1.00 and your wallet has ₹0.99. Please recharge your wallet.')
	const [row] = await product.db`
		select (select count(*) from chat_messages where account_id = ${sender.accountId}) as messages,
			(select count(*) from campaigns where account_id = ${sender.accountId}) as campaigns
	`
	assert.deepEqual({ ...row }, { messages: 0, campaigns: 0 })
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE - 1, heldPaise: 0 })
})

test('ten concurrent templates never overdraw the wallet', async () => {
	const sender = await newSender(3 * PRICE_PAISE)
	const numbers = Array.from({ length: 10 }, (_, index) => `9198000010${String(index).padStart(2, '0')}`)
	const answers = await Promise.all(numbers.map((number) => sendTemplate(sender, { number })))
	assert.equal(answers.filter(({ status }) => status === 200).length, 3)
	assert.equal(answers.filter(({ status }) => status === 402).length, 7)
	await untilSettled(sender)
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

for (const { code, words, stops } of [
	{ code: 131026, words: /cannot be reached/, stops: false },
	{ code: 132015, words: /has paused this template/, stops: false },
	{ code: 131031, words: /has locked this account/, stops: true },
])
	test(`a template refused with ${code} fails with a plain reason, is refunded, and ${stops ? 'pauses' : 'does not pause'} the sender`, async () => {
		const sender = await newSender()
		const number = `9198000${code}`.slice(0, 12)
		await fault(number, { kind: 'error', code })
		const { body } = await sendTemplate(sender, { number })
		assert.equal(body.newMessage.status, 'failed')
		assert.match(body.message, words)
		assert.match((await messagesWith(sender, number))[0]?.error ?? '', words)
		assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
		const stopped = () =>
			product.db`select 1 from senders where account_id = ${sender.accountId} and stopped_reason is not null`
		if (stops) await until(async () => (await stopped()).length === 1)
		const next = await sendTemplate(sender, { number: '919800000019' })
		assert.equal(next.status, stops ? 400 : 200, next.body.message)
		assert.deepEqual(await moneyFindings(product.db), [])
	})

/** Creates an account whose template has a picture, which must be uploaded before the template can be sent. */
async function newSenderWithPicture(): Promise<Account> {
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Hello {{1}}, welcome!' },
	]
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: 1000, components })
	const file = `${sender.accountId}/headers/picture.jpg`
	await product.process.context.storage.put(file, Buffer.from('a picture'))
	await product.db`update templates set header_file = ${file} where account_id = ${sender.accountId}`
	return sender
}

test('a template that waits while its account is stopped fails with the reason, and is never sent', async () => {
	const sender = await newSenderWithPicture()
	const number = '919800000020'
	const { phone_number_id } = sender.credentials
	await product.simulator.control.addFault({ call: 'media', phone_number_id, kind: 'error', code: 131016 })
	const sending = sendTemplate(sender, { number })
	await until(async () => (await walletOf(sender)).heldPaise === PRICE_PAISE)
	const reason = 'The account was deactivated by an administrator.'
	await transaction(product.db, (sql) => pauseAllCampaigns(sql, sender.accountId, reason))
	await sending
	await untilSettled(sender)
	const [message] = await messagesWith(sender, number)
	assert.deepEqual([message?.status, message?.error], ['failed', reason])
	assert.equal((await product.simulator.control.received(number)).accepted, 0)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('chats.sendTemplate to a customer with a hidden number sends to the user id', async () => {
	const sender = await newSender()
	const key = 'IN.4fQ8abcDEF'
	const { phone_number_id } = sender.credentials
	await product.simulator.control.sendInbound({ phone_number_id, from: '919800099999', user_id: key, name: 'Hidden' })
	await until(async () => (await messagesWith(sender, key)).length === 1)
	const { status, body } = await sendTemplate(sender, { number: key })
	assert.equal(status, 200, body.message)
	await untilSettled(sender)
	assert.equal(await product.simulator.control.acceptedWith(await callbackOf(body.newMessage.id)), 1)
	assert.equal(body.newMessage.error, null)
})

test('a template with a picture is sent after the picture is uploaded', async () => {
	const sender = await newSenderWithPicture()
	await sendTemplate(sender, { number: '919800000023' })
	await untilSettled(sender)
	assert.equal((await messagesWith(sender, '919800000023'))[0]?.error, null)
	const { messages } = await product.simulator.control.received('919800000023')
	assert.match(JSON.stringify(messages[0]?.payload), /"type":"image","image":\{"id":"\d+"/)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('an answer that quotes a template shows the chat’s message, and counts for no campaign', async () => {
	const sender = await newSender()
	const number = '919800000024'
	const { body } = await sendTemplate(sender, { number })
	await untilSettled(sender)
	const { messages } = await product.simulator.control.received(number)
	const { phone_number_id } = sender.credentials
	const inbound = { phone_number_id, from: number, content: { body: 'Thank you' }, context_id: messages[0]?.id ?? '' }
	await product.simulator.control.sendInbound(inbound)
	await until(async () => (await messagesWith(sender, number)).length === 2)
	const answer = (await messagesWith(sender, number)).at(-1)
	assert.deepEqual(answer?.replyTo, { id: body.newMessage.id, text: 'Hello Asha, welcome!', campaign: null })
	const [waiting] = await product.db`
		select link_until from chat_messages where account_id = ${sender.accountId} and direction = 'in'
	`
	assert.equal(waiting?.link_until, null)
	const reply = { number, message: 'Welcome', replyTo: body.newMessage.id }
	await call(product.process.url, chats.send, { body: reply, token: sender.token })
	const sent = await product.simulator.control.received(number)
	assert.match(JSON.stringify(sent.messages.at(-1)?.payload), new RegExp(`"message_id":"${messages[0]?.id}"`))
})

test('chats.sendTemplate refuses a marketing template to an opted-out number, and any template with incomplete variables', async () => {
	const sender = await newSender()
	await optOutNumbers(product.db, sender.accountId, { numbers: ['919800000008'], because: 'manual' })
	const optedOut = await sendTemplate(sender, { number: '919800000008' })
	assert.equal(optedOut.status, 400)
	assert.match(optedOut.body.message ?? '', /opted out/)
	assert.equal((await sendTemplate(sender, { var1: '' })).status, 400)
	assert.equal((await sendTemplate(sender, { var1: 'a\nb' })).status, 400)
	assert.match((await sendTemplate(sender, { var1: '{{firstName}}' })).body.message ?? '', /may hold no \{\{…\}\}/)
	const footer = JSON.stringify([{ type: 'FOOTER', text: 'Reply STOP to opt out' }])
	await product.db`update templates set components = components || ${footer}::jsonb where account_id = ${sender.accountId}`
	assert.match((await sendTemplate(sender, { var1: 'x'.repeat(1024) })).body.message ?? '', /WhatsApp takes 1,024/)
	assert.equal((await sendTemplate(sender, { number: 'nobody' })).status, 400)
	await product.db`update templates set gone_at = now() where account_id = ${sender.accountId}`
	assert.match((await sendTemplate(sender)).body.message ?? '', /no longer exists/)
	await product.db`update templates set status = 'PAUSED', gone_at = null where account_id = ${sender.accountId}`
	assert.equal((await sendTemplate(sender)).status, 400)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
})

test('a status update with 131050 about a template opts its recipient out', async () => {
	const sender = await newSender()
	const number = '919800000025'
	await fault(number, { kind: 'fail-later', code: 131050 })
	await sendTemplate(sender, { number })
	const isOptedOut = async () => {
		const rows = await product.db`
			select 1 from opt_outs where account_id = ${sender.accountId} and number = ${number} and is_opted_out
		`
		return rows.length > 0
	}
	await until(isOptedOut)
})
