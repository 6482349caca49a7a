import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

test('subscribed_apps accepts a callback URL only when it echoes the challenge for the right verify token', async (t) => {
	const { graph, account, receiver } = await startScene(t)
	const path = `${account.waba_id}/subscribed_apps`
	await graph('DELETE', path)
	const subscribe = (verify_token: string, uri = receiver.url): ReturnType<typeof graph> =>
		graph('POST', path, { override_callback_uri: uri, verify_token })

	const wrong = await subscribe('something else')
	assert.equal(wrong.status, 400)
	assert.equal(wrong.body.error?.code, 2200)
	assert.match(wrong.body.error?.message ?? '', /HTTP Status Code = 403/)
	assert.equal((await subscribe('verify-me', 'http://127.0.0.1:9/hook')).body.error?.code, 2200)
	assert.deepEqual((await graph('GET', path)).body, { data: [] })

	assert.deepEqual((await subscribe('verify-me')).body, { success: true })
	const { data } = (await graph('GET', path)).body as { data: { override_callback_uri: string }[] }
	assert.equal(data[0]?.override_callback_uri, receiver.url)
})

test('subscribed_apps refuses a callback URL without a verify token or over 200 characters', async (t) => {
	const { graph, account, receiver } = await startScene(t)
	const path = `${account.waba_id}/subscribed_apps`
	const without = await graph('POST', path, { override_callback_uri: receiver.url })
	assert.equal(without.body.error?.code, 100)
	const long = await graph('POST', path, {
		override_callback_uri: `${receiver.url}/${'x'.repeat(200)}`,
		verify_token: 'v',
	})
	assert.equal(long.body.error?.code, 100)
})
