import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { caller, type Scene, startScene } from './test-scene.ts'

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 13, 10, 45, 45, 0, 255])

function form(type: string, bytes: Uint8Array<ArrayBuffer> = new Uint8Array(BYTES)): FormData {
	const data = new FormData()
	data.set('messaging_product', 'whatsapp')
	data.set('type', type)
	data.set('file', new Blob([bytes], { type }), 'photo.png')
	return data
}

async function upload({ graph, account }: Scene): Promise<string> {
	const { status, body } = await graph('POST', `${account.phone_number_id}/media`, form('image/png'))
	assert.equal(status, 200, JSON.stringify(body))
	return String(body['id'])
}

test('an uploaded file can be downloaded with a token, sent by id and deleted', async (t) => {
	const scene = await startScene(t)
	const { graph, send, control, account } = scene
	const id = await upload(scene)
	const { body } = await graph('GET', `${id}?phone_number_id=${account.phone_number_id}`)
	assert.equal(body['file_size'], BYTES.length)
	assert.equal(body['sha256'], createHash('sha256').update(BYTES).digest('hex'))
	const url = String(body['url'])
	const secondsLeft = Number(new URL(url).searchParams.get('ext')) - Date.now() / 1_000
	assert.ok(secondsLeft > 240 && secondsLeft <= 300, `${secondsLeft}`)
	assert.equal((await fetch(url)).status, 401)
	const fetched = await fetch(url, { headers: { authorization: `Bearer ${account.access_token}` } })
	assert.equal(fetched.headers.get('content-type'), 'image/png')
	assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), BYTES)

	await control.setPhone({ phone_number_id: account.phone_number_id, window: 'off' })
	assert.equal((await send({ type: 'image', image: { id } })).status, 200)
	assert.equal((await send({ type: 'video', video: { id } })).body.error?.code, 131053)
	assert.deepEqual((await graph('DELETE', id)).body, { success: true })
	const { error } = (await send({ type: 'image', image: { id } })).body
	assert.equal(error?.code, 100)
	assert.equal(error.message, '(#100) Param image.id is not a valid whatsapp business account media attachment ID')
	assert.equal((await graph('GET', id)).body.error?.error_subcode, 33)
})

test('a media id is unknown to other accounts and other phone numbers', async (t) => {
	const scene = await startScene(t)
	const { url, control, graph } = scene
	const id = await upload(scene)
	const other = await control.createAccount()
	assert.equal((await caller(url, other.access_token)('GET', id)).body.error?.error_subcode, 33)
	assert.equal((await graph('GET', `${id}?phone_number_id=1`)).body.error?.error_subcode, 33)
	assert.equal((await graph('DELETE', `${id}?phone_number_id=1`)).body.error?.error_subcode, 33)
	assert.equal((await graph('GET', id)).status, 200)
})

test('an upload is accepted with `messaging_product` in its query', async (t) => {
	const { graph, account } = await startScene(t)
	const data = form('image/png')
	data.delete('messaging_product')
	const path = `${account.phone_number_id}/media`
	assert.equal((await graph('POST', path, data)).body.error?.code, 100)
	assert.equal((await graph('POST', `${path}?messaging_product=whatsapp`, data)).status, 200)
})

test('an upload of an unsupported type, without bytes or over the size limit is refused', async (t) => {
	const { graph, account } = await startScene(t)
	const path = `${account.phone_number_id}/media`
	const wrong = await graph('POST', path, form('application/zip'))
	assert.equal(wrong.body.error?.code, 100)
	assert.match(wrong.body.error?.message ?? '', /Received file of type 'application\/zip'/)
	assert.equal((await graph('POST', path, form('image/png', new Uint8Array(5_300_000)))).body.error?.code, 131053)
	assert.equal((await graph('POST', path, form('image/png', new Uint8Array()))).body.error?.code, 131053)
})

test('a resumable upload continues at its offset and returns a handle for a template’s sample', async (t) => {
	const { url, graph, account } = await startScene(t)
	const query = `file_name=a.png&file_length=${BYTES.length}&file_type=image/png`
	const { body } = await graph('POST', `${account.app_id}/uploads?${query}`)
	const id = String(body['id'])
	assert.match(id, /^upload:.*\?sig=/)
	const put = async (offset: number, bytes: Buffer, scheme = 'OAuth'): Promise<Record<string, unknown>> => {
		const headers = { authorization: `${scheme} ${account.access_token}`, file_offset: String(offset) }
		const answer = await fetch(`${url}/v25.0/${id}`, { method: 'POST', headers, body: new Uint8Array(bytes) })
		return (await answer.json()) as Record<string, unknown>
	}
	assert.ok((await put(0, BYTES, 'Bearer'))['error'])
	assert.deepEqual(await put(0, BYTES.subarray(0, 5)), { id, file_offset: 5 })
	assert.deepEqual((await graph('GET', id)).body, { id, file_offset: 5 })
	assert.ok((await put(0, BYTES))['error'])
	const { h } = await put(5, BYTES.subarray(5))
	assert.match(String(h), /^4:/)
	const components = [
		{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
		{ type: 'BODY', text: 'Look at our new sarees.' },
	]
	const template = { name: 'photo', language: 'en_US', category: 'MARKETING', components }
	const created = await graph('POST', `${account.waba_id}/message_templates`, template)
	assert.equal(created.status, 200, JSON.stringify(created.body))
	const read = (await graph('GET', String(created.body['id']))).body['components'] as Sampled[]
	const sample = await fetch(read[0]?.example.header_handle[0] ?? '')
	assert.deepEqual(Buffer.from(await sample.arrayBuffer()), BYTES)
})

interface Sampled {
	example: { header_handle: string[] }
}

test('a resumable upload of a type that no template header supports is refused', async (t) => {
	const { graph, account } = await startScene(t)
	const path = `${account.app_id}/uploads?file_length=9&file_type=video/3gpp`
	assert.equal((await graph('POST', path)).body.error?.code, 100)
})
