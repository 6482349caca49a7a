import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { account } from '#test/factories.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { whatsapp } from '../contract.ts'

const product = await launchProduct()
const admin = await account(product.process.context, { role: 'admin' })

test('whatsapp.webhooks shows each account’s processed webhooks and dead letters, and replayDelivery queues a dead letter', async () => {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise: 100 })
	const { waba_id, phone_number_id } = sender.credentials
	const { url } = product.process
	const accountNow = async () => {
		const query = { search: sender.email, page: 1, limit: 10 }
		return (await call(url, whatsapp.webhooks, { query, token: admin.token })).body.accounts[0]
	}
	const kept = async () => {
		const args = { params: { userId: sender.userId }, token: admin.token }
		return (await call(url, whatsapp.keptDeliveries, args)).body.deliveries
	}
	await product.simulator.control.sendInbound({ phone_number_id, from: '919800000001' })
	await until(async () => (await accountNow())?.processed === 1)
	await product.simulator.control.sendWebhook({ waba_id, field: 'security', value: { event: 'PIN_CHANGED' } })
	await until(async () => (await accountNow())?.kept === 1)
	const [delivery] = await kept()
	assert.equal(delivery?.reason, 'for an administrator: security')
	assert.match(delivery?.body ?? '', /PIN_CHANGED/)
	const found = await accountNow()
	assert.ok(Date.now() - Date.parse(found?.lastDeliveryAt ?? '') < 60_000)
	assert.equal(found?.waiting, 0)
	const params = { userId: sender.userId, id: delivery?.id ?? '' }
	const replayed = await call(url, whatsapp.replayDelivery, { params, token: admin.token })
	assert.equal(replayed.status, 200)
	// The kind is still unknown, so the webhook becomes a dead letter again.
	await until(async () => (await accountNow())?.processed === 3 && (await kept()).length === 1)
	const wrong = await call(url, whatsapp.replayDelivery, { params: { ...params, id: '999999' }, token: admin.token })
	assert.equal(wrong.status, 404)
	const { body } = await call(url, auth.adminActions, { query: { page: 1, limit: 10, search: '' }, token: admin.token })
	assert.match(JSON.stringify(body), /webhook-replayed/)
})
