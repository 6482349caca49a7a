import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSimulator } from './simulator.ts'
import { caller, QUICK, type Scene, startScene } from './test-scene.ts'
import type { Status } from './webhook-receiver.ts'

const CUSTOMER = '919812345678'
const TEXT = { type: 'text', text: { body: 'Hello' } }

/** Sends a message and returns its statuses by name. */
async function statusesOf(scene: Scene, message: Record<string, unknown>): Promise<Record<string, Status>> {
	const { status, body } = await scene.send({ to: `+${CUSTOMER}`, ...message })
	assert.equal(status, 200)
	await scene.control.waitIdle()
	const id = body.messages?.[0]?.id
	return Object.fromEntries(
		scene.receiver
			.statuses()
			.filter((each) => each.id === id)
			.map((each) => [each.status, each]),
	)
}

async function pricingOf(scene: Scene, message: Record<string, unknown> = TEXT) {
	return (await statusesOf(scene, message)).delivered?.pricing
}

test('text replies are free for the first messages of a month, and regular beyond them', async (t) => {
	const scene = await startScene(t)
	const { control, account } = scene
	await control.setBilling({ waba_id: account.waba_id, free_service_messages: 2 })
	await control.sendInbound({ phone_number_id: account.phone_number_id, from: CUSTOMER })
	const free = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
	assert.deepEqual(await pricingOf(scene), free)
	const reaction = { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } }
	assert.equal((await pricingOf(scene, reaction))?.type, 'free_customer_service')
	await control.setStatusPlan({ failRate: 1 })
	await pricingOf(scene)
	await control.setStatusPlan({ failRate: 0 })
	assert.equal((await pricingOf(scene))?.type, 'free_customer_service')
	assert.deepEqual(await pricingOf(scene), { ...free, billable: true, type: 'regular' })
})

test('a utility template within the window is regular, and `billable` is absent when the account hides it', async (t) => {
	const scene = await startScene(t)
	const { control, account } = scene
	await control.setBilling({ waba_id: account.waba_id, shows_billable: false })
	await control.sendInbound({ phone_number_id: account.phone_number_id, from: CUSTOMER })
	const template = { name: 'order', language: { code: 'en_US' } }
	const components = [{ type: 'BODY', text: 'Your order is packed.' }]
	await control.addTemplate({ waba_id: account.waba_id, name: 'order', category: 'UTILITY', components })
	const expected = { pricing_model: 'PMP', type: 'regular', category: 'utility' }
	assert.deepEqual(await pricingOf(scene, { type: 'template', template }), expected)
})

test('the first answer to a customer who came by an ad opens a free entry point with its conversation', async (t) => {
	const scene = await startScene(t)
	const { control, account, receiver } = scene
	const { phone_number_id } = account
	await control.openEntryPoint({ phone_number_id, from: CUSTOMER, forMs: 60_000 })
	await control.waitIdle()
	const referral = receiver.changes()[0]?.value.messages?.[0]?.['referral']
	assert.deepEqual(Object.keys(referral ?? {}).slice(0, 3), ['source_url', 'source_type', 'source_id'])
	const { delivered } = await statusesOf(scene, {})
	assert.deepEqual(
		[delivered?.pricing?.type, delivered?.pricing?.category],
		['free_entry_point', 'referral_conversion'],
	)
	assert.ok(Number(delivered?.conversation?.expiration_timestamp) * 1_000 <= Date.now() + 60_000)
})

test('a free entry point that has ended makes no further message free', async (t) => {
	const scene = await startScene(t)
	const { control, account } = scene
	await control.openEntryPoint({ phone_number_id: account.phone_number_id, from: CUSTOMER, forMs: 0 })
	assert.equal((await pricingOf(scene, {}))?.type, 'free_entry_point')
	const later = (await statusesOf(scene, {})).delivered
	assert.deepEqual([later?.pricing?.type, later?.conversation], ['regular', undefined])
})

test('an account without a payment method gets 200 for a charged message, which fails with 131042', async (t) => {
	const scene = await startScene(t)
	const { control, account } = scene
	await control.setBilling({ waba_id: account.waba_id, has_payment_method: false, free_service_messages: 1 })
	await control.sendInbound({ phone_number_id: account.phone_number_id, from: CUSTOMER })
	assert.ok((await statusesOf(scene, TEXT)).delivered)
	for (const message of [TEXT, {}]) {
		const statuses = await statusesOf(scene, message)
		assert.deepEqual([Object.keys(statuses), statuses.failed?.errors?.[0]?.code], [['failed'], 131042])
	}
})

test('pricing_analytics counts delivered messages by day, country, phone, category and type', async (t) => {
	const scene = await startScene(t)
	const { control, account, graph } = scene
	await control.sendInbound({ phone_number_id: account.phone_number_id, from: CUSTOMER })
	for (const message of [TEXT, {}, { to: '+919812340000' }, { to: '+971501234567' }]) await pricingOf(scene, message)
	await control.setStatusPlan({ failRate: 1 })
	await pricingOf(scene, {})
	const answer = await graph(
		'GET',
		`${account.waba_id}?fields=currency,${analytics('COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE')}`,
	)
	assert.equal(answer.body['currency'], 'INR')
	const points = pointsOf(answer.body)
	assert.deepEqual(
		points.map((each) => [
			each['country'],
			each['phone_number'],
			each['pricing_category'],
			each['pricing_type'],
			each['volume'],
			each['cost'],
		]),
		[
			['IN', '919876500000', 'SERVICE', 'FREE_CUSTOMER_SERVICE', 1, 0],
			['IN', '919876500000', 'MARKETING', 'REGULAR', 2, 1.7262],
			['AE', '919876500000', 'MARKETING', 'REGULAR', 1, 4.4248],
		],
	)
	// Midnight in India is 18:30 of the day before in UTC.
	assert.ok(points.every((each) => Number(each['start']) % 86_400 === 66_600))
	const sums = pointsOf((await graph('GET', `${account.waba_id}?fields=${analytics('PRICING_TYPE')}`)).body)
	assert.deepEqual(
		sums.map((each) => [each['pricing_type'], each['volume'], each['country']]),
		[
			['FREE_CUSTOMER_SERVICE', 1, undefined],
			['REGULAR', 3, undefined],
		],
	)
	const refused = await graph('GET', `${account.waba_id}?fields=${analytics('PRICE')}`)
	assert.deepEqual([refused.status, refused.body.error?.code], [400, 100])
})

test('the free messages used, the entry points and the volumes survive restarts', async (t) => {
	const stateDir = mkdtempSync(join(tmpdir(), 'simulator-'))
	t.after(() => rmSync(stateDir, { recursive: true }))
	// The second restart reads what the first one has written anew.
	const expected = [
		{ FREE_CUSTOMER_SERVICE: 1, FREE_ENTRY_POINT: 1 },
		{ FREE_CUSTOMER_SERVICE: 1, FREE_ENTRY_POINT: 2, REGULAR: 1 },
		{ FREE_CUSTOMER_SERVICE: 1, FREE_ENTRY_POINT: 3, REGULAR: 2 },
	]
	for (const [starts, volumes] of expected.entries()) {
		const { url, control, close } = await startSimulator({ stateDir, statuses: QUICK })
		const account = await control.createAccount({ wabaId: '100001', phoneNumberId: '100002', token: 'token' })
		const { waba_id, phone_number_id } = account
		if (starts === 0) {
			await control.setBilling({ waba_id, free_service_messages: 1 })
			await control.sendInbound({ phone_number_id, from: CUSTOMER })
			await control.openEntryPoint({ phone_number_id, from: '919800000009' })
		}
		const graph = caller(url, account.access_token)
		for (const to of [CUSTOMER, '919800000009'])
			await graph('POST', `${phone_number_id}/messages`, { messaging_product: 'whatsapp', to: `+${to}`, ...TEXT })
		const { body } = await graph('GET', `${waba_id}?fields=${analytics('PRICING_TYPE')}`)
		const counted = pointsOf(body).map((each) => [each['pricing_type'], each['volume']])
		assert.deepEqual(Object.fromEntries(counted), volumes)
		await close()
	}
})

function analytics(dimensions: string): string {
	const now = Math.floor(Date.now() / 1_000)
	return `pricing_analytics.start(${now - 2 * 86_400}).end(${now + 86_400}).granularity(DAILY).dimensions(${dimensions})`
}

function pointsOf(body: Record<string, unknown>): Record<string, unknown>[] {
	const { data } = body['pricing_analytics'] as { data: { data_points: Record<string, unknown>[] }[] }
	return data.flatMap((each) => each.data_points)
}
