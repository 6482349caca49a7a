import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { sendingAccount, startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const NUMBER = '919800012345'

let product: Product
let sender: Awaited<ReturnType<typeof sendingAccount>>
before(async () => {
	product = await startProduct()
	sender = await sendingAccount(product, { contacts: 0, balancePaise: 1000 })
	await product.simulator.control.sendInbound({
		phone_number_id: sender.credentials.phone_number_id,
		from: NUMBER,
		content: { body: 'Hello' },
	})
	await until(async () => (await unreadOf(NUMBER)) === 1)
})
after(() => product.close())

async function unreadOf(number: string): Promise<number | undefined> {
	const { body } = await call(product.process.url, chats.contacts, {
		query: { search: '', limit: 20 },
		token: sender.token,
	})
	return body.contacts.find((contact) => contact.number === number)?.unread
}

async function post(path: string, body: FormData | object): Promise<{ status: number; message: string }> {
	const isForm = body instanceof FormData
	const response = await fetch(product.process.url + path, {
		method: 'POST',
		headers: { authorization: `Bearer ${sender.token}`, ...(!isForm && { 'content-type': 'application/json' }) },
		body: isForm ? body : JSON.stringify(body),
	})
	return { status: response.status, message: ((await response.json()) as { message: string }).message }
}

function formOf(fields: Record<string, string | File>): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields)) form.set(name, value)
	return form
}

test('chats.messages finds a chat by every spelling of its number', async () => {
	for (const number of [NUMBER, `+${NUMBER}`, NUMBER.slice(2), '+91 98000-12345', `0${NUMBER.slice(2)}`]) {
		const { body } = await call(product.process.url, chats.messages, { params: { number }, token: sender.token })
		assert.equal(body.messages.length, 1, number)
		assert.notEqual(body.windowExpiresAt, null, number)
	}
})

test('chats.contacts returns 400 for a time in the year 0, which PostgreSQL does not accept', async () => {
	const query = { search: '', limit: 20, before: '0000-01-01T00:00:00Z' }
	const { status, body } = await call(product.process.url, chats.contacts, { query, token: sender.token })
	assert.deepEqual([status, body.message], [400, 'Not a valid time'])
})

test('chats.markRead finds a chat by every spelling of its number, also as a JSON number', async () => {
	for (const number of [`+${NUMBER}`, NUMBER.slice(2), Number(NUMBER)]) {
		await product.db`update chats set unread = 2 where account_id = ${sender.accountId}`
		assert.equal((await post('/api/chats/mark-read', { number })).status, 200)
		assert.equal(await unreadOf(NUMBER), 0, String(number))
	}
	assert.deepEqual(await post('/api/chats/mark-read', {}), { status: 400, message: 'Please select a contact' })
})

test('chats.send reports a missing message before a missing contact', async () => {
	const nothing = { status: 400, message: 'Please enter a message or select a file' }
	assert.deepEqual(await post('/api/chats/send', formOf({})), nothing)
	assert.deepEqual(await post('/api/chats/send', formOf({ number: NUMBER, message: '  ' })), nothing)
	const noContact = await post('/api/chats/send', formOf({ message: 'Hello' }))
	assert.deepEqual(noContact, { status: 400, message: 'Please select a contact' })
	const wrong = await post('/api/chats/send', formOf({ number: '12345', message: 'Hello' }))
	assert.equal(wrong.status, 400)
	assert.match(wrong.message, /^Please valid phone number/)
})

test('chats.send accepts a message without a file as JSON and as a form, also with an empty file field', async () => {
	const sent = { status: 200, message: 'Message sent successfully' }
	assert.deepEqual(await post('/api/chats/send', { number: NUMBER, message: 'As JSON' }), sent)
	assert.deepEqual(await post('/api/chats/send', { number: Number(NUMBER), message: 'As a number' }), sent)
	const unchosen = new File([], '', { type: 'application/octet-stream' })
	assert.deepEqual(await post('/api/chats/send', formOf({ number: NUMBER, message: 'Hi', media: unchosen })), sent)
})

test('chats.send refuses a file above every limit with the limit of its own type', async () => {
	const limits = { 'image/png': 5, 'video/mp4': 16, 'application/pdf': 10, 'application/octet-stream': 16 }
	for (const [type, megabytes] of Object.entries(limits)) {
		const media = new File([new Uint8Array(17 * 1024 * 1024)], 'file', { type })
		const refused = { status: 413, message: `File size exceeds ${megabytes}MB limit` }
		assert.deepEqual(await post('/api/chats/send', formOf({ number: NUMBER, media })), refused)
	}
})
