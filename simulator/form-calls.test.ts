import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphAnswer, type Scene, startScene } from './test-scene.ts'

async function post({ url, account }: Scene, edge: string, fields: Record<string, string>) {
	const headers = { authorization: `Bearer ${account.access_token}` }
	const body = new URLSearchParams(fields)
	const response = await fetch(`${url}/v25.0/${account.phone_number_id}/${edge}`, { method: 'POST', headers, body })
	return { status: response.status, body: (await response.json()) as GraphAnswer['body'] }
}

const TO = { messaging_product: 'whatsapp', to: '+919812345678' }

test('a form-encoded send takes its template as JSON text, and a text by fields in brackets', async (t) => {
	const scene = await startScene(t)
	const { control, account } = scene
	await control.setPhone({ phone_number_id: account.phone_number_id, window: 'off' })
	const template = JSON.stringify({ name: 'hello', language: { code: 'en_US' } })
	const first = await post(scene, 'messages', {
		...TO,
		type: 'template',
		template,
		biz_opaque_callback_data: '{"a":1}',
	})
	assert.equal(first.status, 200, JSON.stringify(first.body))
	assert.equal(await control.acceptedWith('{"a":1}'), 1)
	const text = { 'text[body]': 'Hello', 'text[preview_url]': 'false', 'context[message_id]': 'wamid.x' }
	const second = await post(scene, 'messages', { ...TO, type: 'text', ...text })
	assert.equal(second.status, 200, JSON.stringify(second.body))
	const contact = { 'contacts[0][name][formatted_name]': 'Ana', 'contacts[0][phones][0][phone]': '+91 98765 43210' }
	assert.equal((await post(scene, 'messages', { ...TO, type: 'contacts', ...contact })).status, 200)
	const { messages } = await control.received('919812345678')
	const sent = messages.map(({ payload }) => payload as Record<string, unknown>)
	assert.deepEqual(sent[0]?.['template'], { name: 'hello', language: { code: 'en_US' } })
	assert.deepEqual(sent[1]?.['text'], { body: 'Hello', preview_url: 'false' })
	assert.deepEqual(sent[2]?.['contacts'], [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+91 98765 43210' }] }])
})

test('a JSON body may contain an object as JSON text, and the query may contain parameters', async (t) => {
	const { graph, account } = await startScene(t)
	const template = JSON.stringify({ name: 'hello', language: { code: 'en_US' } })
	const path = `${account.phone_number_id}/messages?messaging_product=whatsapp&to=%2B919812345678`
	assert.equal((await graph('POST', path, { type: 'template', template })).status, 200)
	const { body } = await graph('POST', path, { type: 'template', template: '{"name":' })
	assert.equal(body.error?.code, 100)
})

test('a form-encoded profile takes a list by empty brackets, and refuses fields that are nested too deeply', async (t) => {
	const scene = await startScene(t)
	const profile = { messaging_product: 'whatsapp', 'websites[]': 'https://example.com/' }
	assert.deepEqual((await post(scene, 'whatsapp_business_profile', profile)).body, { success: true })
	const path = `${scene.account.phone_number_id}/whatsapp_business_profile?fields=websites`
	const { data } = (await scene.graph('GET', path)).body as { data: Record<string, unknown>[] }
	assert.deepEqual(data[0]?.['websites'], ['https://example.com/'])
	const deep = await post(scene, 'messages', { ...TO, [`text${'[a]'.repeat(5_000)}`]: 'x' })
	assert.deepEqual([deep.status, deep.body.error?.code], [400, 100])
})

test('a call is accepted with its token in a form field', async (t) => {
	const { url, account } = await startScene(t)
	const { access_token, phone_number_id } = account
	const body = new URLSearchParams({
		...TO,
		type: 'template',
		template: '{"name":"hello","language":{"code":"en_US"}}',
	})
	const path = `${url}/v25.0/${phone_number_id}/messages`
	assert.equal((await fetch(path, { method: 'POST', body })).status, 401)
	body.set('access_token', access_token)
	assert.equal((await fetch(path, { method: 'POST', body })).status, 200)
})

test('component types are accepted in upper and lower case', async (t) => {
	const { send, control, account } = await startScene(t)
	const body = { type: 'BODY', text: 'It comes in {{1}}, we hope.', example: { body_text: [['2 hours']] } }
	await control.addTemplate({ waba_id: account.waba_id, name: 'soon', components: [body] })
	const components = [{ type: 'BODY', parameters: [{ type: 'TEXT', text: '2 hours' }] }]
	const template = { name: 'soon', language: { code: 'en_US' }, components }
	const { status, body: answer } = await send({ type: 'TEMPLATE', template })
	assert.equal(status, 200, JSON.stringify(answer))
})
