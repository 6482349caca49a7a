import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reconcileMoney } from '#app/server/reconciliation.ts'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { getWallet } from '#features/wallet/server/service.ts'
import { sendingAccount, startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

let product: Product
let sender: Account
before(async () => {
	product = await startProduct()
	sender = await sendingAccount(product, { contacts: 3, balancePaise: 1000 })
})
after(() => product.close())

let numbers = 0
/** A customer whom the account has no contact for. */
function newCustomer(): string {
	return `9198000${String(++numbers).padStart(5, '0')}`
}

function write(from: string, message: Record<string, unknown> = {}): Promise<{ id: string }> {
	const { phone_number_id } = sender.credentials
	return product.simulator.control.sendInbound({ phone_number_id, from, ...message })
}

async function messagesWith(number: string, as: Account = sender): Promise<ChatMessage[]> {
	const { body } = await call(product.process.url, chats.messages, { params: { number }, token: as.token })
	return body.messages
}

async function chatWith(number: string) {
	const { body } = await call(product.process.url, chats.contacts, {
		query: { search: number, limit: 20 },
		token: sender.token,
	})
	return body.contacts[0]
}

async function send(number: string, message: string, given: { requestId?: string; replyTo?: string } = {}) {
	return call(product.process.url, chats.send, { body: { number, message, ...given }, token: sender.token })
}

async function sendFile(number: string, file: File, message = '') {
	return call(product.process.url, chats.send, {
		body: { number, message },
		files: { media: file },
		token: sender.token,
	})
}

test('an inbound text begins a chat with an unread message and an open window, and reading it clears the counter', async () => {
	const number = newCustomer()
	await write(number, { content: { body: 'Is this still available?' }, name: 'Meera' })
	await until(async () => (await chatWith(number))?.unread === 1)
	const chat = await chatWith(number)
	assert.equal(chat?.name, 'Meera')
	assert.equal(chat?.type, 'unknown')
	assert.equal(chat?.lastMessage, 'Is this still available?')
	assert.ok(Date.parse(chat?.windowExpiresAt ?? '') > Date.now() + 23 * 3_600_000)
	const [message] = await messagesWith(number)
	assert.equal(message?.from, 'other')
	assert.equal(message?.text, 'Is this still available?')
	await call(product.process.url, chats.markRead, { body: { number }, token: sender.token })
	assert.equal((await chatWith(number))?.unread, 0)
})

test('a sent text reaches the network once with our id, and its status rises to read', async () => {
	const number = newCustomer()
	await write(number)
	await until(async () => (await chatWith(number))?.unread === 1)
	await product.simulator.control.setStatusPlan({ phone_number_id: sender.credentials.phone_number_id, readRate: 1 })
	const { status, body } = await send(number, 'Yes, it is.')
	assert.equal(status, 200)
	assert.equal(body.message, 'Message sent successfully')
	assert.equal(body.newMessage.from, 'me')
	assert.equal(await product.simulator.control.acceptedWith(`chat:${body.newMessage.id}`), 1)
	await until(async () => (await messagesWith(number)).at(-1)?.status === 'read')
	assert.equal((await chatWith(number))?.lastMessage, 'Yes, it is.')
})

test('a repeated send answers with the first message and sends nothing more', async () => {
	const number = newCustomer()
	await write(number)
	const requestId = randomUUID()
	const answers = await Promise.all([send(number, 'Once', { requestId }), send(number, 'Once', { requestId })])
	const again = await send(number, 'Once', { requestId })
	const ids = new Set([...answers, again].map(({ body }) => body.newMessage.id))
	assert.equal(ids.size, 1)
	assert.equal((await product.simulator.control.received(number)).accepted, 1)
})

test('a text outside the window fails with words that offer a template', async () => {
	const number = newCustomer()
	const { credentials } = sender
	await product.simulator.control.setPhone({ phone_number_id: credentials.phone_number_id, window: 'answer' })
	const { status, body } = await send(number, 'Hello?')
	assert.equal(status, 200)
	assert.equal(body.newMessage.status, 'failed')
	assert.match(body.newMessage.error ?? '', /24 hours.*template/)
	await product.simulator.control.setPhone({ phone_number_id: credentials.phone_number_id, window: 'off' })
})
