// Tests the simulator with a second client that others wrote for Meta.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Scene, startScene } from '#simulator/test-scene.ts'

type Answer = Record<string, unknown> & { messages?: { id: string }[]; error?: { code: number } }

interface Client {
	on: Record<string, (event: Record<string, unknown>) => void>
	sendMessage(phoneId: string, to: string, message: object, context?: string, callback?: string): Promise<Answer>
	markAsRead(phoneId: string, messageId: string, indicator?: string): Promise<Answer>
	uploadMedia(phoneId: string, form: FormData): Promise<Answer>
	retrieveMedia(id: string, phoneId?: string): Promise<Answer>
	fetchMedia(url: string): Promise<Response>
	deleteMedia(id: string, phoneId?: string): Promise<Answer>
	post(data: unknown, body: string, signature: string): Promise<unknown>
}

type Made = Record<string, new (...given: unknown[]) => object>

let Api: new (options: object) => Client
let messages: Made

before(async () => {
	const folder = process.env['PUBLIC_CLIENTS'] ?? ''
	const load = (name: string) => import(pathToFileURL(join(folder, `${name}.mjs`)).href) as Promise<unknown>
	Api = ((await load('whatsapp-api-js')) as { WhatsAppAPI: typeof Api }).WhatsAppAPI
	messages = (await load('whatsapp-api-js-messages')) as Made
})

function make(name: string, ...given: unknown[]): object {
	const Message = messages[name]
	assert.ok(Message, name)
	return new Message(...given)
}

// Starts the client with a fetch that replaces Meta's address, which the client cannot change.
async function startClient(t: TestContext): Promise<Scene & { client: Client }> {
	const scene = await startScene(t)
	const redirect = (url: string | URL, init: RequestInit) =>
		fetch(String(url).replace('https://graph.facebook.com', scene.url), init)
	const { access_token: token, app_secret: appSecret } = scene.account
	const client = new Api({ token, appSecret, v: 'v25.0', ponyfill: { fetch: redirect } })
	return { ...scene, client }
}

const TO = '919812345678'

test('the client sends messages of several types, and receives their statuses by signed webhooks', async (t) => {
	const { client, account, control, receiver } = await startClient(t)
	const { phone_number_id } = account
	const body = { type: 'BODY', text: 'Hello {{1}}, it is here.', example: { body_text: [['Ana']] } }
	await control.addTemplate({ waba_id: account.waba_id, name: 'here', components: [body] })
	await control.setPhone({ phone_number_id, window: 'off' })
	await control.addFault({ kind: 'webhook-split' })
	const filled = make('BodyComponent', make('BodyParameter', 'Ana'))
	const sent = [
		await client.sendMessage(phone_number_id, TO, make('Text', 'Hello'), undefined, 'order 1'),
		await client.sendMessage(phone_number_id, TO, make('Template', 'here', 'en_US', filled)),
		await client.sendMessage(phone_number_id, TO, make('Image', 'https://example.com/a.png')),
		await client.sendMessage(phone_number_id, TO, make('Reaction', 'wamid.x', '👍')),
	]
	assert.ok(sent.every(({ messages: accepted }) => accepted?.[0]?.id.startsWith('wamid.')))
	await control.waitIdle()
	const statuses: unknown[] = []
	client.on['status'] = ({ id, status }) => statuses.push([id, status])
	for (const { text, headers } of receiver.deliveries) {
		await client.post(JSON.parse(text), text, String(headers['x-hub-signature-256']))
	}
	const first = sent[0]?.messages?.[0]?.id
	const reported = statuses.filter((each) => Array.isArray(each) && each[0] === first)
	assert.deepEqual(reported.toSorted(), [
		[first, 'delivered'],
		[first, 'read'],
		[first, 'sent'],
	])
	const [delivery] = receiver.deliveries
	await assert.rejects(client.post(JSON.parse(delivery?.text ?? ''), delivery?.text ?? '', 'sha256=00'))
})

test('the client receives a message with a picture, downloads it, and marks the message as read', async (t) => {
	const { client, account, control, receiver } = await startClient(t)
	const { phone_number_id } = account
	await control.sendInbound({ phone_number_id, from: TO, type: 'image' })
	await control.waitIdle()
	const [delivery] = receiver.deliveries
	assert.ok(delivery)
	let message: { id: string; image: { id: string } } | undefined
	client.on['message'] = (event) => {
		message = event['message'] as typeof message
	}
	await client.post(JSON.parse(delivery.text), delivery.text, String(delivery.headers['x-hub-signature-256']))
	assert.ok(message)
	const { url, file_size } = await client.retrieveMedia(message.image.id, phone_number_id)
	const file = await client.fetchMedia(String(url))
	assert.equal((await file.arrayBuffer()).byteLength, file_size)
	assert.deepEqual(await client.markAsRead(phone_number_id, message.id, 'text'), { success: true })
	assert.equal((await client.markAsRead(phone_number_id, 'wamid.x')).error?.code, 100)
})

test('the client uploads a file, sends it and deletes it, after which it is refused', async (t) => {
	const { client, account, control } = await startClient(t)
	const { phone_number_id } = account
	await control.setPhone({ phone_number_id, window: 'off' })
	const form = new FormData()
	form.set('file', new Blob(['\x89PNG'], { type: 'image/png' }), 'a.png')
	const { id } = await client.uploadMedia(phone_number_id, form)
	const picture = make('Image', id, true)
	assert.ok((await client.sendMessage(phone_number_id, TO, picture)).messages)
	assert.deepEqual(await client.deleteMedia(String(id), phone_number_id), { success: true })
	assert.equal((await client.sendMessage(phone_number_id, TO, picture)).error?.code, 100)
})
