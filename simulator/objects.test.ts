import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller, startScene } from './test-scene.ts'

test('GET of a phone number, an account or an app returns the requested fields and the id', async (t) => {
	const { graph, account } = await startScene(t)
	const { phone_number_id: id, waba_id, app_id } = account
	const fields = 'display_phone_number,quality_rating,throughput,whatsapp_business_manager_messaging_limit'
	assert.deepEqual((await graph('GET', `${id}?fields=${fields}`)).body, {
		display_phone_number: '+91 98765 00000',
		quality_rating: 'GREEN',
		throughput: { level: 'STANDARD' },
		whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED',
		id,
	})
	assert.deepEqual((await graph('GET', `${waba_id}?fields=name`)).body, { name: 'Demo business', id: waba_id })
	const { data } = (await graph('GET', `${waba_id}/phone_numbers`)).body as { data: { id: string }[] }
	assert.deepEqual(
		data.map((phone) => phone.id),
		[id],
	)
	assert.equal((await graph('GET', 'app?fields=id')).body['id'], app_id)
	assert.equal((await graph('GET', `${id}?fields=colour`)).body.error?.code, 100)
})

test('GET of a number returns every field that clients ask for, with its health and that of its account', async (t) => {
	const { graph, account } = await startScene(t)
	const { phone_number_id: id, waba_id } = account
	const fields =
		'id,is_official_business_account,display_phone_number,verified_name,account_mode,quality_rating,certificate,' +
		'code_verification_status,eligibility_for_api_business_global_search,is_pin_enabled,name_status,new_name_status,' +
		'status,search_visibility,messaging_limit_tier'
	assert.equal((await graph('GET', `${id}?fields=${fields}`)).status, 200)
	const { health_status } = (await graph('GET', `${id}?fields=health_status`)).body
	const can_send_message = 'AVAILABLE'
	assert.deepEqual(health_status, {
		can_send_message,
		entities: [
			{ entity_type: 'PHONE_NUMBER', id, can_send_message },
			{ entity_type: 'WABA', id: waba_id, can_send_message },
			{ entity_type: 'BUSINESS', id: `2${waba_id.slice(1)}`, can_send_message },
			{ entity_type: 'APP', id: account.app_id, can_send_message },
		],
	})
	const nested = 'health_status{can_send_message,entities},throughput'
	assert.deepEqual((await graph('GET', `${id}?fields=${nested}`)).status, 200)
})

test('accounts of one portfolio share its limit and the health of the portfolio, and get a webhook of a changed limit', async (t) => {
	const { url, graph, control, account, receiver } = await startScene(t)
	const { waba_id, phone_number_id, access_token } = account
	const other = await control.createAccount({ name: 'Second shop', phone: '919876500001' })
	await control.subscribe({ waba_id: other.waba_id, url: receiver.url })
	const portfolio_id = '2900'
	for (const one of [account, other]) await control.setPortfolio({ waba_id: one.waba_id, portfolio_id })
	await control.setPortfolio({ waba_id, limit: 'TIER_2K' })
	await control.setPortfolio({ waba_id, limit: 'TIER_2K' })
	await control.setHealth({ waba_id, entity: 'BUSINESS', can_send_message: 'LIMITED', possible_solution: 'Verify it.' })
	await control.setBusiness({ waba_id, business_verification_status: 'not_verified' })
	await control.setPhone({ phone_number_id, is_on_biz_app: true, name_status: 'DECLINED' })
	const limit = 'whatsapp_business_manager_messaging_limit'
	const fields = `fields=${limit},health_status,is_on_biz_app,name_status`
	const { body: number } = await graph('GET', `${phone_number_id}?${fields}`)
	assert.deepEqual([number[limit], number['is_on_biz_app'], number['name_status']], ['TIER_2K', true, 'DECLINED'])
	const health = number['health_status'] as { can_send_message: string; entities: Record<string, unknown>[] }
	assert.equal(health.can_send_message, 'LIMITED')
	const business = health.entities.find((one) => one['entity_type'] === 'BUSINESS')
	assert.equal(business?.['id'], portfolio_id)
	assert.match(JSON.stringify(business?.['errors']), /"possible_solution":"Verify it\."/)
	const { body: waba } = await graph('GET', `${waba_id}?fields=business_verification_status,owner_business_info`)
	assert.deepEqual(waba['owner_business_info'], { id: portfolio_id, name: 'Demo business' })
	assert.equal(waba['business_verification_status'], 'not_verified')
	const ofOther = await caller(url, other.access_token)('GET', `${other.waba_id}?fields=${limit}`)
	assert.deepEqual([ofOther.body[limit], access_token === other.access_token], ['TIER_2K', false])
	await control.waitIdle()
	const changes = receiver.changes('business_capability_update')
	assert.deepEqual(
		changes.map((change) => change.value['max_daily_conversations_per_business']),
		[2000, 2000],
	)
})

test('POST of a business profile changes the given fields, and GET leaves out fields that are not set', async (t) => {
	const { graph, account } = await startScene(t)
	const path = `${account.phone_number_id}/whatsapp_business_profile`
	const change = { messaging_product: 'whatsapp', about: 'Open till nine', websites: ['https://example.com'] }
	assert.deepEqual((await graph('POST', path, change)).body, { success: true })
	const { body } = await graph('GET', `${path}?fields=about,email,websites`)
	const expected = { about: 'Open till nine', websites: ['https://example.com'], messaging_product: 'whatsapp' }
	assert.deepEqual(body, { data: [expected] })
})

test('a call with an unknown, missing or rejected token returns 401, and a token of another account finds no object', async (t) => {
	const { url, graph, control, account } = await startScene(t)
	const { phone_number_id: id, access_token: token } = account
	const unknown = await caller(url, 'nonsense')('GET', id)
	assert.deepEqual([unknown.status, unknown.body.error?.code], [401, 190])
	assert.equal((await fetch(`${url}/v25.0/${id}`)).status, 401)
	const stranger = await control.createAccount()
	const hidden = await caller(url, stranger.access_token)('GET', id)
	assert.deepEqual([hidden.status, hidden.body.error?.code, hidden.body.error?.error_subcode], [400, 100, 33])
	await control.rejectToken({ token })
	const expired = await graph('GET', id)
	assert.deepEqual([expired.status, expired.body.error?.code, expired.body.error?.error_subcode], [401, 190, 463])
	assert.ok(expired.body.error?.fbtrace_id)
	await control.rejectToken({ token, restore: true })
	assert.equal((await graph('GET', id)).status, 200)
})

test('a call to an unknown id returns subcode 33', async (t) => {
	const { graph } = await startScene(t)
	assert.equal((await graph('GET', '12345')).body.error?.error_subcode, 33)
})
