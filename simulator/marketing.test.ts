import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { HELLO, startScene } from './test-scene.ts'

async function marketingScene(t: TestContext, onboarding = 'ONBOARDED') {
	const scene = await startScene(t)
	const { waba_id, phone_number_id } = scene.account
	await scene.control.setBusiness({ waba_id, marketing_messages_onboarding_status: onboarding })
	const body = { messaging_product: 'whatsapp', to: '+919812345678', type: 'template', template: HELLO }
	const post = (edge: string, more: object = {}) =>
		scene.graph('POST', `${phone_number_id}/${edge}`, { ...body, ...more })
	return { ...scene, waba_id, post }
}

suite('marketing_messages', () => {
	test('takes marketing templates, and charges an onboarded account in the category marketing_lite', async (t) => {
		const { post, receiver, control } = await marketingScene(t)
		const { status, body } = await post('marketing_messages', { message_activity_sharing: true })
		assert.deepEqual([status, body.messages?.[0]?.message_status], [200, 'accepted'])
		await control.waitIdle()
		assert.ok(JSON.stringify(receiver.deliveries).includes('marketing_lite'))
		const { messages } = await control.received('919812345678')
		assert.deepEqual(
			messages.map(({ endpoint }) => endpoint),
			['marketing_messages'],
		)
	})

	test('falls back to the category marketing for an account that is not onboarded, and refuses it with STRICT', async (t) => {
		const { post, receiver, control } = await marketingScene(t, 'ELIGIBLE')
		assert.equal((await post('marketing_messages')).status, 200)
		assert.equal((await post('marketing_messages', { product_policy: 'STRICT' })).body.error?.code, 134102)
		await control.waitIdle()
		assert.ok(!JSON.stringify(receiver.deliveries).includes('marketing_lite'))
	})

	test('refuses messages without a template, templates of other categories, and unknown values', async (t) => {
		const { post, control, waba_id } = await marketingScene(t)
		const text = { type: 'text', text: { body: 'Hi' }, template: undefined }
		assert.equal((await post('marketing_messages', text)).body.error?.code, 131009)
		assert.equal((await post('marketing_messages', { product_policy: 'MAYBE' })).body.error?.code, 100)
		assert.equal((await post('marketing_messages', { message_activity_sharing: 'maybe' })).body.error?.code, 100)
		await control.recategoriseTemplate({ waba_id, name: 'hello', category: 'UTILITY' })
		assert.equal((await post('marketing_messages')).body.error?.code, 134100)
		assert.equal((await post('messages')).status, 200)
	})

	test('each endpoint refuses by its switches, for a template or for the whole account', async (t) => {
		const { post, control, waba_id } = await marketingScene(t)
		const refusals = [
			{ endpoint: 'marketing_messages', code: 134101, name: 'hello', language: 'en_US' },
			{ endpoint: 'messages', code: 131061, name: 'another' },
		] as const
		await control.setMarketing({ waba_id, refusals: [...refusals] })
		assert.equal((await post('marketing_messages')).body.error?.code, 134101)
		assert.equal((await post('messages')).status, 200)
		await control.setMarketing({ waba_id, refusals: [{ endpoint: 'messages', code: 131061 }] })
		assert.equal((await post('marketing_messages')).status, 200)
		assert.equal((await post('messages')).body.error?.code, 131061)
	})

	test('messages refuses marketing with 131063 once the account has switched it off there', async (t) => {
		const { post, graph, waba_id } = await marketingScene(t)
		assert.equal((await graph('POST', waba_id, { disable_marketing_messages_on_cloud_api: true })).status, 200)
		assert.equal((await post('messages')).body.error?.code, 131063)
		assert.equal((await post('marketing_messages')).status, 200)
		await graph('POST', waba_id, { disable_marketing_messages_on_cloud_api: false })
		assert.equal((await post('messages')).status, 200)
		assert.equal((await graph('POST', waba_id, { disable_marketing_messages_on_cloud_api: 'soon' })).status, 400)
	})
})

test('a template takes a time to live within the range of its category', async (t) => {
	const { graph, account } = await startScene(t)
	let serial = 0
	const create = async (category: string, seconds: unknown) => {
		const components = [{ type: 'BODY', text: 'Your order is on its way.' }]
		const body = { name: `ttl_${++serial}`, language: 'en', category, components, message_send_ttl_seconds: seconds }
		return (await graph('POST', `${account.waba_id}/message_templates`, body)).status
	}
	for (const [category, seconds, status] of [
		['MARKETING', 43_200, 200],
		['MARKETING', 2_592_000, 200],
		['MARKETING', 43_199, 400],
		['MARKETING', -1, 400],
		['UTILITY', 43_200, 200],
		['UTILITY', -1, 200],
		['UTILITY', 43_201, 400],
		['UTILITY', 'soon', 400],
	] as const)
		assert.equal(await create(category, seconds), status, `${category} ${seconds}`)
})

test('a detection of the right category is announced by webhook and listed, until the category changes', async (t) => {
	const { control, receiver, graph, account } = await startScene(t)
	const { waba_id } = account
	await control.recategoriseTemplate({ waba_id, name: 'hello', category: 'UTILITY', detected: true })
	await control.waitIdle()
	assert.match(
		JSON.stringify(receiver.deliveries),
		/"category":"MARKETING","correct_category":"UTILITY".*template_correct_category_detection/,
	)
	const listed = async () => {
		const { body } = await graph('GET', `${waba_id}/message_templates?fields=category,correct_category`)
		return (body['data'] as { category: string; correct_category: string | null }[])[0]
	}
	assert.equal((await listed())?.correct_category, 'UTILITY')
	await control.recategoriseTemplate({ waba_id, name: 'hello', category: 'UTILITY' })
	assert.equal((await listed())?.correct_category ?? null, null)
})
