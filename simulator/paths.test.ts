import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphAnswer, type Scene, startScene } from './test-scene.ts'

async function at(scene: Scene, path: string, method = 'GET', token = scene.account.access_token) {
	const answer = await fetch(`${scene.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
	const { error } = (await answer.json()) as GraphAnswer['body']
	return { status: answer.status, headers: answer.headers, error }
}

test('a call without a version, or of a version that is no longer usable, is answered by the oldest usable one', async (t) => {
	const scene = await startScene(t)
	const { phone_number_id: id } = scene.account
	for (const [version, answering] of [
		['/v25.0', 'v25.0'],
		['/v26.0', 'v26.0'],
		['/v19.0', 'v22.0'],
		['/v2.12', 'v22.0'],
		['/v1.0', 'v22.0'],
		['', 'v22.0'],
	] as const) {
		const { status, headers } = await at(scene, `${version}/${id}`)
		assert.deepEqual([status, headers.get('facebook-api-version')], [200, answering], version)
	}
})

test('a call of a version that never existed returns 400 with code 2500 and the path, even without a valid token', async (t) => {
	const scene = await startScene(t)
	for (const version of ['v99.0', 'v25.1', 'v2.80', '25.0', 'v25']) {
		const { status, error } = await at(scene, `/${version}/12345/messages`, 'POST', 'nonsense')
		assert.deepEqual([status, error?.code, error?.type], [400, 2500, 'OAuthException'], version)
		assert.equal(error?.message, 'Unknown path components: /12345/messages')
	}
})

test('GET of an unknown edge returns code 100 with the edge and the node type, POST of one code 2500', async (t) => {
	const scene = await startScene(t)
	const { waba_id, phone_number_id } = scene.account
	const read = await at(scene, `/v25.0/${phone_number_id}/message_templates`)
	assert.deepEqual([read.status, read.error?.code], [400, 100])
	assert.equal(
		read.error?.message,
		'(#100) Tried accessing nonexisting field (message_templates) on node type (WhatsAppBusinessPhoneNumber)',
	)
	assert.equal((await at(scene, `/v25.0/${waba_id}/nothing`, 'POST')).error?.code, 2500)
	const longer = await at(scene, `/v25.0/${waba_id}/message_templates/nothing`)
	assert.equal(longer.error?.message, 'Unknown path components: /nothing')
})

test('an id that is not a number returns 404 with code 803, and a method that the object lacks returns subcode 33', async (t) => {
	const scene = await startScene(t)
	const alias = await at(scene, '/v25.0/my-number')
	assert.deepEqual([alias.status, alias.error?.code], [404, 803])
	const { status, error } = await at(scene, `/v25.0/${scene.account.phone_number_id}`, 'DELETE')
	assert.deepEqual([status, error?.code, error?.error_subcode], [400, 100, 33])
})

test('the answer to a refused call has the reason in www-authenticate and the trace id in a header', async (t) => {
	const scene = await startScene(t)
	const { headers, error } = await at(scene, '/v25.0/12345')
	assert.equal(headers.get('www-authenticate'), `OAuth "Facebook Platform" "invalid_request" "${error?.message}"`)
	assert.equal(headers.get('x-fb-request-id'), error?.fbtrace_id)
	assert.match(headers.get('x-fb-trace-id') ?? '', /^[\w+/]{11}$/)
	const stranger = await at(scene, '/v25.0/12345', 'GET', 'nonsense')
	const reason = 'Invalid OAuth access token - Cannot parse access token'
	assert.equal(stranger.headers.get('www-authenticate'), `OAuth "Facebook Platform" "invalid_token" "${reason}"`)
	const odd = await at(scene, `/v25.0/${scene.account.phone_number_id}?fields=%0afarbe%C3%A4`)
	assert.match(odd.headers.get('www-authenticate') ?? '', /nonexisting field \(farbe\?\)/)
})

test('an answer contains the used share of the account’s rate limit, and the minutes to wait when it is used up', async (t) => {
	const scene = await startScene(t)
	const { phone_number_id: id, waba_id } = scene.account
	const usage = async (path: string) => {
		const { headers } = await at(scene, path)
		const all = JSON.parse(headers.get('x-business-use-case-usage') ?? '{}') as Record<
			string,
			Record<string, unknown>[]
		>
		return all[waba_id]?.[0]
	}
	assert.equal((await usage(`/v25.0/${id}`))?.['type'], 'whatsapp_business_management')
	await scene.control.addFault({ kind: 'error', code: 80007, call: 'phone', times: 1 })
	const limited = await usage(`/v25.0/${id}`)
	assert.deepEqual([limited?.['call_count'], limited?.['estimated_time_to_regain_access']], [100, 1])
})
