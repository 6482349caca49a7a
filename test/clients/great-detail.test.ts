// Tests the simulator with a client that others wrote for Meta. The simulator must be changed where the two disagree.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Scene, startScene } from '#simulator/test-scene.ts'

interface Call {
	json(): Promise<Record<string, unknown>>
	arrayBuffer(): Promise<ArrayBuffer>
}

type Method = (given: Record<string, unknown>) => Call
type OfTemplates = (of: string, given: Record<string, unknown>) => Call

interface Client {
	message: { createMessage: Method; createStatus: Method }
	media: { upload: Method; getURL: Method; download: Method; delete: Method }
	template: { list: OfTemplates; get: OfTemplates; create: OfTemplates; update: OfTemplates; delete: OfTemplates }
	phoneNumbers: { getPhoneNumber: Method; listPhoneNumbers: Method }
	businessProfile: { getBusinessProfile: Method; updateBusinessProfile: Method }
	subscribedApps: { createSubscription: Method; listSubscriptions: Method }
	webhook: {
		eventNotification(request: { method: string; headers: object; body: string }): Promise<{
			eventNotification: { entry: { changes: { value: { messages?: { id: string }[] } }[] }[] }
			checkSignature(secret: string): Promise<boolean>
		}>
	}
}

interface Package {
	Client: new (options: object) => Client
}

let installed: Package

before(async () => {
	const entry = join(process.env['PUBLIC_CLIENTS'] ?? '', 'great-detail.mjs')
	installed = (await import(pathToFileURL(entry).href)) as Package
})

async function startClient(t: TestContext): Promise<Scene & { client: Client; headers: Record<string, string> }> {
	const scene = await startScene(t, { reviewDelayMs: 300_000 })
	const headers = { Authorization: `Bearer ${scene.account.access_token}` }
	const client = new installed.Client({ baseUrl: scene.url, request: { headers, retry: 0 } })
	return { ...scene, client, headers }
}

const BODY = { type: 'BODY', text: 'Hello {{1}}, your order is ready.', example: { body_text: [['Ana']] } }

test('the client sends a text, a template and a file, and receives the code of a refusal', async (t) => {
	const { client, account, control, headers } = await startClient(t)
	const phoneNumberID = account.phone_number_id
	await control.addTemplate({ waba_id: account.waba_id, name: 'ready', components: [BODY] })
	await control.sendInbound({ phone_number_id: phoneNumberID, from: '919812345678' })
	const to = '+919812345678'
	const text = { phoneNumberID, to, type: 'text', text: { body: 'Hello' } }
	const answer = await client.message.createMessage(text).json()
	assert.deepEqual(answer['contacts'], [{ input: to, wa_id: '919812345678' }])
	const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }]
	const template = { name: 'ready', language: { code: 'en_US' }, components }
	await client.message.createMessage({ phoneNumberID, to, type: 'template', template }).json()
	const bytes = Buffer.from('%PDF-1.4')
	const file = new Blob([bytes], { type: 'application/pdf' })
	const upload = { phoneNumberID, file, filename: 'order.pdf', mimeType: 'application/pdf' }
	const { id } = await client.media.upload(upload).json()
	await client.message.createMessage({ phoneNumberID, to, type: 'document', document: { id } }).json()
	const { url: mediaURL, file_size } = await client.media.getURL({ mediaID: id, phoneNumberID }).json()
	assert.equal(file_size, bytes.length)
	const read = client.media.download({ mediaURL, request: { headers: { ...headers, Host: undefined } } })
	assert.deepEqual(Buffer.from(await read.arrayBuffer()), bytes)
	assert.deepEqual(await client.media.delete({ mediaID: id, phoneNumberID }).json(), { success: true })
	assert.deepEqual(
		(await control.received('919812345678')).messages.map(({ type }) => type),
		['text', 'template', 'document'],
	)
	const wrong = client.message.createMessage({ phoneNumberID, to, type: 'text', text: { body: '' } })
	await assert.rejects(wrong.json(), (error: { response: Response }) => error.response.status === 400)
})

test('the client checks the signature of an inbound message, and marks that message as read', async (t) => {
	const { client, account, control, receiver } = await startClient(t)
	const phoneNumberID = account.phone_number_id
	const content = { body: 'नमस्ते 🙂' }
	const { id } = await control.sendInbound({ phone_number_id: phoneNumberID, from: '919812345678', content })
	await control.waitIdle()
	const [delivery] = receiver.deliveries
	assert.ok(delivery)
	const request = { method: 'POST', headers: delivery.headers, body: delivery.text }
	const parsed = await client.webhook.eventNotification(request)
	assert.equal(await parsed.checkSignature(account.app_secret), true)
	assert.equal(await parsed.checkSignature('another'), false)
	const [message] = parsed.eventNotification.entry[0]?.changes[0]?.value.messages ?? []
	assert.equal(message?.id, id)
	const receipt = { phoneNumberID, message_id: id, status: 'read', typing_indicator: { type: 'text' } }
	assert.deepEqual(await client.message.createStatus(receipt).json(), { success: true })
})

test('the client creates, lists, reads, changes and deletes a template', async (t) => {
	const { client, account, control } = await startClient(t)
	const { waba_id } = account
	const wanted = { name: 'ready', language: 'en_US', category: 'UTILITY', components: [BODY] }
	const { id, status } = await client.template.create(waba_id, wanted).json()
	assert.equal(status, 'PENDING')
	await control.reviewTemplate({ id: String(id), approved: true })
	const filter = { name_or_content: 'order', status: ['APPROVED', 'PAUSED'], category: ['UTILITY'], limit: 10 }
	const { data } = await client.template.list(waba_id, { ...filter, fields: ['name', 'status'] }).json()
	assert.deepEqual(data, [{ name: 'ready', status: 'APPROVED', id }])
	const changed = { ...BODY, text: 'Hello {{1}}, your order has left.' }
	assert.deepEqual(await client.template.update(String(id), { components: [changed] }).json(), { success: true })
	const { components } = await client.template.get(String(id), {}).json()
	assert.deepEqual(components, [changed])
	assert.deepEqual(await client.template.delete(waba_id, { name: 'ready' }).json(), { success: true })
	await assert.rejects(client.template.delete(waba_id, { name: 'ready' }).json())
})

test('the client reads numbers and subscriptions, and changes a profile', async (t) => {
	const { client, account } = await startClient(t)
	const { waba_id: businessAccountID, phone_number_id: phoneNumberID } = account
	const fields = ['id', 'verified_name', ['health_status', ['can_send_message', 'entities']], 'throughput']
	const number = await client.phoneNumbers.getPhoneNumber({ phoneNumberID, fields }).json()
	assert.equal(number['id'], phoneNumberID)
	const { data } = await client.phoneNumbers.listPhoneNumbers({ businessAccountID, fields: ['id'] }).json()
	assert.deepEqual(data, [{ id: phoneNumberID }])
	const profile = { phoneNumberID, about: 'Open till nine' }
	assert.deepEqual(await client.businessProfile.updateBusinessProfile(profile).json(), { success: true })
	const read = await client.businessProfile.getBusinessProfile({ phoneNumberID, fields: ['about'] }).json()
	assert.deepEqual(read['data'], [{ about: 'Open till nine', messaging_product: 'whatsapp' }])
	assert.deepEqual(await client.subscribedApps.createSubscription({ businessAccountID }).json(), { success: true })
	const subscriptions = await client.subscribedApps.listSubscriptions({ businessAccountID }).json()
	assert.equal((subscriptions['data'] as unknown[]).length, 1)
})
