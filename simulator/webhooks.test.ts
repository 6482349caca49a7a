import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { startScene } from './test-scene.ts'
import { startReceiver } from './webhook-receiver.ts'

test('a webhook is signed over its bytes, with non-ASCII characters as lower-case escapes', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	await send({ biz_opaque_callback_data: 'Zoë 🙂' })
	await control.waitIdle()
	const [delivery] = receiver.deliveries
	assert.ok(delivery)
	assert.match(delivery.text, /Zo\\u00eb \\ud83d\\ude42/)
	const hex = createHmac('sha256', account.app_secret).update(delivery.text, 'latin1').digest('hex')
	assert.equal(delivery.headers['x-hub-signature-256'], `sha256=${hex}`)
	assert.equal(receiver.statuses()[0]?.biz_opaque_callback_data, 'Zoë 🙂')
})

test('1,500 released statuses are delivered in two POSTs, with at most 1,000 in one', async (t) => {
	const { send, control, receiver } = await startScene(t)
	await control.holdWebhooks()
	for (let batch = 0; batch < 5; batch++) await Promise.all(Array.from({ length: 100 }, () => send()))
	await until(async () => (await control.webhookStats()).held >= 1_500)
	assert.equal(receiver.deliveries.length, 0)
	assert.deepEqual(await control.releaseWebhooks(), { released: 1_500 })
	await control.waitIdle()
	const sizes = receiver.deliveries.map((delivery) => delivery.entries[0]?.changes[0]?.value.statuses?.length)
	assert.deepEqual(sizes.toSorted(), [1_000, 500])
})

test('a webhook answered with 500 is retried with the same bytes until it is answered with 200', async (t) => {
	const { send, control, receiver } = await startScene(t)
	let refusals = 2
	receiver.answerWith(() => (refusals-- > 0 ? 500 : 200))
	await send()
	await control.waitIdle()
	const statuses = receiver.statuses().map((status) => status.status)
	assert.deepEqual(statuses.toSorted(), ['delivered', 'read', 'sent'])
	const [refused] = receiver.deliveries
	assert.equal(receiver.deliveries.filter((delivery) => delivery.text === refused?.text).length >= 2, true)
})

test('webhooks sent while the receiver is down are delivered to its new address after it subscribes again', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	await receiver.close()
	await Promise.all(Array.from({ length: 40 }, () => send()))
	await until(async () => (await control.webhookStats()).outstanding >= 120)
	const moved = await startReceiver()
	t.after(() => moved.close())
	await control.subscribe({ waba_id: account.waba_id, url: moved.url })
	await control.waitIdle()
	assert.equal(new Set(moved.statuses().map(({ id, status }) => `${id} ${status}`)).size, 120)
	assert.ok((await control.webhookStats()).failed_posts > 0)
})

test('webhooks that the receiver always refuses do not delay others', async (t) => {
	const { send, control, receiver } = await startScene(t)
	receiver.answerWith((text) => (text.includes('poison') ? 500 : 200))
	await control.addFault({ kind: 'webhook-split', to: '919811111111' })
	for (let each = 0; each < 3; each++) await send({ to: '+919811111111', biz_opaque_callback_data: 'poison' })
	await until(() => receiver.deliveries.length >= 9)
	for (let each = 0; each < 10; each++) await send({ biz_opaque_callback_data: `good ${each}` })
	await until(() => receiver.statuses().length >= 30)
	assert.equal(receiver.statuses().length, 30)
})

test('accounts without a callback URL of their own share one POST to the app’s URL', async (t) => {
	const { control, receiver, account, graph } = await startScene(t)
	const other = await control.createAccount({ appId: account.app_id, token: account.access_token })
	await control.setAppCallback({ app_id: account.app_id, url: receiver.url })
	await control.holdWebhooks()
	for (const { waba_id } of [account, other]) {
		assert.equal((await graph('POST', `${waba_id}/subscribed_apps`)).status, 200)
		await control.sendWebhook({ waba_id, field: 'account_alerts', value: { alert_type: 'X' } })
	}
	await control.releaseWebhooks()
	await control.waitIdle()
	assert.equal(receiver.deliveries.length, 1)
	const ids = receiver.deliveries[0]?.entries.map((entry) => entry.id)
	assert.deepEqual(ids, [account.waba_id, other.waba_id])
})

test('an account without a subscription gets no webhooks, and webhookStats counts them', async (t) => {
	const { control, receiver, account, graph, send } = await startScene(t)
	assert.equal((await graph('DELETE', `${account.waba_id}/subscribed_apps`)).status, 200)
	await send()
	await control.waitIdle()
	assert.equal(receiver.deliveries.length, 0)
	assert.equal((await control.webhookStats()).unsubscribed, 3)
})
