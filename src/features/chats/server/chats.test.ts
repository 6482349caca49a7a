import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const product = await launchProduct()
const sender = await sendingAccount(product, { contacts: 3, balancePaise: 1000 })

let numbers = 0
/** Returns a number that is not in the account's contacts. */
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

const accepted = (id: string) =>
	product.simulator.control.acceptedWith(product.process.context.restoreGenerations.mark(`chat:${id}`))

test('an inbound text creates a chat with an unread message and an open window, and chats.markRead clears the counter', async () => {
	const number = newCustomer()
	await write(number, { content: { body: 'Is this still available?' }, name: 'Meera' })
	await until(async () => (await chatWith(number))?.unread === 1)
	const chat = await chatWith(number)
	assert.equal(chat?.name, 'Meera')
	assert.equal(chat?.type, 'unknown')
	assert.equal(chat?.lastMessage, 'Is this still available?')
	assert.ok(Date.parse(chat?.windowExpiresAt ?? '') > Date.now() + 23 * HOUR_MS)
	const [message] = await messagesWith(number)
	assert.equal(message?.from, 'other')
	assert.equal(message?.text, 'Is this still available?')
	await call(product.process.url, chats.markRead, { body: { number }, token: sender.token })
	assert.equal((await chatWith(number))?.unread, 0)
})

test('chats.send sends a text once with our id, and its status advances to read', async () => {
	const number = newCustomer()
	await write(number)
	await until(async () => (await chatWith(number))?.unread === 1)
	await product.simulator.control.setStatusPlan({ phone_number_id: sender.credentials.phone_number_id, readRate: 1 })
	const { status, body } = await send(number, 'Yes, it is.')
	assert.equal(status, 200)
	assert.equal(body.message, 'Message sent successfully')
	assert.equal(body.newMessage.from, 'me')
	assert.equal(await accepted(body.newMessage.id), 1)
	await until(async () => (await messagesWith(number)).at(-1)?.status === 'read')
	assert.equal((await chatWith(number))?.lastMessage, 'Yes, it is.')
})

test('chats.send repeated with the same request id returns the first message, or 409 for another text or number, and sends nothing more', async () => {
	const number = newCustomer()
	await write(number)
	const requestId = randomUUID()
	const answers = await Promise.all([send(number, 'Once', { requestId }), send(number, 'Once', { requestId })])
	const again = await send(number, 'Once', { requestId })
	const ids = new Set([...answers, again].map(({ body }) => body.newMessage.id))
	assert.equal(ids.size, 1)
	for (const other of [await send(number, 'Twice', { requestId }), await send(newCustomer(), 'Once', { requestId })]) {
		assert.deepEqual([other.status, other.body.message], [409, 'This request has already sent another message'])
	}
	assert.equal((await product.simulator.control.received(number)).accepted, 1)
})

test('chats.send outside the window returns an error that offers a template', async () => {
	const number = newCustomer()
	const { status, body } = await send(number, 'Hello?')
	assert.equal(status, 200)
	assert.equal(body.newMessage.error, null)
	await until(async () => (await messagesWith(number))[0]?.status === 'failed')
	assert.match((await messagesWith(number))[0]?.error ?? '', /24 hours.*template/)
})

const numbersOf = (rows: { number: string }[]) => rows.map((row) => row.number)
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const fileOf = (bytes: Uint8Array, name: string, type: string) => new File([new Uint8Array(bytes)], name, { type })

test('an inbound picture is fetched, and chats.media serves it inline only to its account, with headers that allow no scripts', async () => {
	const number = newCustomer()
	await write(number, { type: 'image' })
	await until(async () => (await messagesWith(number))[0]?.mediaState === 'ready')
	const [message] = await messagesWith(number)
	assert.ok(message?.mediaUrl)
	const get = (token: string, headers = {}) =>
		fetch(product.process.url + message.mediaUrl, { headers: { authorization: `Bearer ${token}`, ...headers } })
	const response = await get(sender.token)
	assert.equal(response.status, 200)
	assert.match(response.headers.get('content-type') ?? '', /^image\//)
	assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
	assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
	assert.match(response.headers.get('content-disposition') ?? '', /^inline/)
	const bytes = Buffer.from(await response.arrayBuffer())
	const part = await get(sender.token, { range: 'bytes=2-5' })
	assert.equal(part.status, 206)
	assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(2, 6))
	const stranger = await sendingAccount(product, { contacts: 0, balancePaise: 100 })
	assert.equal((await get(stranger.token)).status, 404)
})

test('an inbound SVG or HTML page that claims to be a picture is only served as a download', async () => {
	const { phone_number_id, access_token } = sender.credentials
	for (const evil of [
		'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
		'<!doctype html><script>alert(1)</script>',
	]) {
		const number = newCustomer()
		const form = new FormData()
		form.set('messaging_product', 'whatsapp')
		form.set('file', new File([evil], 'picture.png', { type: 'image/png' }))
		const uploaded = await fetch(`${product.simulator.url}/v25.0/${phone_number_id}/media`, {
			method: 'POST',
			headers: { authorization: `Bearer ${access_token}` },
			body: form,
		})
		const { id } = (await uploaded.json()) as { id: string }
		await write(number, {
			type: 'document',
			content: { id, mime_type: 'image/svg+xml', filename: '../../etc/\u202egpj.svg' },
		})
		await until(async () => (await messagesWith(number))[0]?.mediaState === 'ready')
		const [message] = await messagesWith(number)
		assert.equal(message?.mediaName, 'gpj.svg')
		const response = await fetch(product.process.url + message?.mediaUrl, {
			headers: { authorization: `Bearer ${sender.token}` },
		})
		assert.equal(response.headers.get('content-type'), 'application/octet-stream')
		assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
	}
})

test('chats.send refuses an attachment by its content and size with the specified errors, and sends a valid one', async () => {
	const number = newCustomer()
	await write(number)
	const refused = await sendFile(number, fileOf(Buffer.from('<html>'), 'a.png', 'image/png'))
	assert.deepEqual(
		[refused.status, refused.body.message],
		[400, 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'],
	)
	const typed = await sendFile(number, fileOf(Buffer.from('GIF89a'), 'a.gif', 'image/gif'))
	assert.deepEqual([typed.status, typed.body.message], [400, 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'])
	const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])
	const tooLarge = await sendFile(number, fileOf(large, 'a.png', 'image/png'))
	assert.deepEqual([tooLarge.status, tooLarge.body.message], [413, 'File size exceeds 5MB limit'])
	const nothing = await send(number, '  ')
	assert.deepEqual([nothing.status, nothing.body.message], [400, 'Please enter a message or select a file'])
	const { body } = await sendFile(number, fileOf(PNG, 'saree.png', 'image/png'), 'The blue one')
	assert.equal(body.newMessage.kind, 'image')
	assert.equal(body.newMessage.error, null)
	assert.equal(body.newMessage.text, 'The blue one')
	const { messages } = await product.simulator.control.received(number)
	assert.match(JSON.stringify(messages.at(-1)?.payload), /"caption":"The blue one"/)
})

test('reactions, edits and revocations change their message, also when they arrive before it', async () => {
	const number = newCustomer()
	const { id } = await write(number, { content: { body: 'Frist' } })
	await write(number, {
		type: 'edit',
		content: { original_message_id: id, message: { type: 'text', text: { body: 'First' } } },
	})
	await write(number, { type: 'reaction', content: { message_id: id, emoji: '👍' } })
	await until(async () => (await messagesWith(number))[0]?.reactions.length === 1)
	const [message, ...others] = await messagesWith(number)
	assert.equal(others.length, 0)
	assert.deepEqual([message?.text, message?.isEdited], ['First', true])
	assert.deepEqual(message?.reactions, [{ from: 'other', emoji: '👍' }])
	assert.equal((await chatWith(number))?.lastMessage, 'First')
	await write(number, { type: 'reaction', content: { message_id: id } })
	await write(number, { type: 'revoke', content: { original_message_id: id } })
	await until(async () => (await messagesWith(number))[0]?.isRevoked === true)
	const [revoked] = await messagesWith(number)
	assert.deepEqual([revoked?.text, revoked?.isRevoked], ['', true])
	assert.equal((await chatWith(number))?.lastMessage, 'This message was deleted')
})

test('every kind of message is stored, and an unknown kind is shown as unsupported', async () => {
	const number = newCustomer()
	const kinds = [
		'location',
		'contacts',
		'button',
		'interactive',
		'sticker',
		'audio',
		'video',
		'document',
		'unsupported',
	]
	for (const type of kinds) await write(number, { type })
	await write(number, { type: 'hologram', content: { depth: 3 } })
	await write(number, { type: 'order', content: { catalog_id: '1', product_items: [], text: 'Two of these' } })
	await until(async () => (await messagesWith(number)).length === kinds.length + 2)
	const messages = await messagesWith(number)
	const of = (kind: string) => messages.filter((message) => message.kind === kind)
	assert.equal(of('unsupported').length, 2)
	assert.equal(of('location')[0]?.location?.name, 'Camp')
	assert.deepEqual(of('contacts')[0]?.cards, [{ name: 'Meera Joshi', phones: ['+91 98765 43210'] }])
	assert.equal(of('button')[0]?.text, 'Yes')
	assert.equal(of('order')[0]?.text, 'Two of these')
})

test('a customer with a hidden number has a chat under the user id, and replies are sent to it', async () => {
	const key = 'IN.4fQ8abcDEF'
	await write('919800099999', { user_id: key, name: 'Hidden' })
	await until(async () => (await chatWith(key))?.unread === 1)
	assert.equal((await chatWith(key))?.name, 'Hidden')
	const { body } = await send(key, 'Hello')
	assert.equal(body.newMessage.error, null)
	assert.equal(await accepted(body.newMessage.id), 1)
	assert.equal((await send('IN.unknownUser', 'Hello')).status, 404)
})

test('a message that quotes another shows the quote, in both directions', async () => {
	const number = newCustomer()
	const { id } = await write(number, { content: { body: 'Do you deliver?' } })
	await until(async () => (await messagesWith(number)).length === 1)
	const [asked] = await messagesWith(number)
	const { body } = await send(number, 'Yes, in Pune', { replyTo: asked?.id ?? '' })
	assert.equal(body.newMessage.replyTo?.text, 'Do you deliver?')
	const { messages } = await product.simulator.control.received(number)
	assert.match(JSON.stringify(messages.at(-1)?.payload), new RegExp(`"message_id":"${id}"`))
	await write(number, { content: { body: 'Great' }, context_id: messages.at(-1)?.id ?? '' })
	await until(async () => (await messagesWith(number)).length === 3)
	assert.equal((await messagesWith(number)).at(-1)?.replyTo?.text, 'Yes, in Pune')
})

test('each page of messages and chats begins where the previous one ended', async () => {
	const number = newCustomer()
	for (let count = 1; count <= 5; count++) await write(number, { content: { body: `Message ${count}` } })
	await until(async () => (await messagesWith(number)).length === 5)
	const page = async (oldest?: string) => {
		const query = { limit: 2, ...(oldest && { before: oldest }) }
		const { body } = await call(product.process.url, chats.messages, { params: { number }, query, token: sender.token })
		return body
	}
	const seen: string[] = []
	for (let last = await page(); ; last = await page(last.messages[0]?.id)) {
		seen.unshift(...last.messages.map(({ text }) => text))
		if (!last.hasMore) break
	}
	assert.deepEqual(
		seen,
		[1, 2, 3, 4, 5].map((count) => `Message ${count}`),
	)
	const all = await call(product.process.url, chats.contacts, {
		query: { search: '', limit: 100 },
		token: sender.token,
	})
	const first = await call(product.process.url, chats.contacts, {
		query: { search: '', limit: 3 },
		token: sender.token,
	})
	const last = first.body.contacts.at(-1)
	const next = await call(product.process.url, chats.contacts, {
		query: { search: '', limit: 3, before: last?.timestamp ?? '', beforeNumber: last?.number ?? '' },
		token: sender.token,
	})
	assert.deepEqual(
		[...numbersOf(first.body.contacts), ...numbersOf(next.body.contacts)],
		numbersOf(all.body.contacts).slice(0, 6),
	)
})
