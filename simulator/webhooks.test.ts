import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'
import { startReceiver } from './webhook-receiver.ts'

test('a delivery is signed over the bytes that are sent, non-ASCII as lower-case escapes', async (t) => {
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

test('many statuses share a POST, at most a thousand of them', async (t) => {
	const { send, control, receiver } = await startScene(t)
	await control.holdWebhooks()
	for (let batch = 0; batch < 5; batch++) await Promise.all(Array.from({ length: 100 }, () => send()))
	while ((await control.webhookStats()).held < 1_500) await new Promise((resolve) => setTimeout(resolve, 5))
	assert.equal(receiver.deliveries.length, 0)
	assert.deepEqual(await control.releaseWebhooks(), { released: 1_500 })
	await control.waitIdle()
	const sizes = receiver.deliveries.map((delivery) => delivery.entries[0]?.changes[0]?.value.statuses?.length)
	assert.deepEqual(sizes.toSorted(), [1_000, 500])
})

test('a refused delivery is sent again, byte for byte, until it is taken', async (t) => {
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

test('nothing is lost while the receiver is down, even when it comes back at another address', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	await receiver.close()
	await Promise.all(Array.from({ length: 40 }, () => send()))
	while ((await control.webhookStats()).outstanding < 120) await new Promise((resolve) => setTimeout(resolve, 5))
	const moved = await startReceiver()
	t.after(() => moved.close())
	await control.subscribe({ waba_id: account.waba_id, url: moved.url })
	await control.waitIdle()
	assert.equal(new Set(moved.statuses().map(({ id, status }) => `${id} ${status}`)).size, 120)
	assert.ok((await control.webhookStats()).failed_posts > 0)
})

test('deliveries that are refused for ever do not hold up the others', async (t) => {
	const { send, control, receiver } = await startScene(t)
	receiver.answerWith((text) => (text.includes('poison') ? 500 : 200))
	await control.addFault({ kind: 'webhook-split', to: '919811111111' })
	for (let each = 0; each < 3; each++) await send({ to: '+919811111111', biz_opaque_callback_data: 'poison' })
	await new Promise((resolve) => setTimeout(resolve, 60))
	for (let each = 0; each < 10; each++) await send({ biz_opaque_callback_data: `good ${each}` })
	const until = performance.now() + 4_000
	while (receiver.statuses().length < 30 && performance.now() < until) {
		await new Promise((resolve) => setTimeout(resolve, 20))
	}
	assert.equal(receiver.statuses().length, 30)
})

test('accounts of one app without addresses of their own share deliveries to the address of the app', async (t) => {
	const { control, receiver, account, graph } = await startScene(t)
	const other = await control.createAccount({ appId: account.app_id, token: account.access_token })
	await control.setAppCallback({ app_id: account.app_id, url: receiver.url })
	for (const { waba_id } of [account, other]) {
		assert.equal((await graph('POST', `${waba_id}/subscribed_apps`)).status, 200)
		await control.sendWebhook({ waba_id, field: 'account_alerts', value: { alert_type: 'X' } })
	}
	await control.waitIdle()
	assert.equal(receiver.deliveries.length, 1)
	const ids = receiver.deliveries[0]?.entries.map((entry) => entry.id)
	assert.deepEqual(ids, [account.waba_id, other.waba_id])
})

test('an account that is not subscribed gets nothing', async (t) => {
	const { control, receiver, account, graph, send } = await startScene(t)
	assert.equal((await graph('DELETE', `${account.waba_id}/subscribed_apps`)).status, 200)
	await send()
	await control.waitIdle()
	assert.equal(receiver.deliveries.length, 0)
	assert.equal((await control.webhookStats()).unsubscribed, 3)
})
