import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphAnswer, type Scene, startScene } from './test-scene.ts'

interface Listed {
	data: Record<string, unknown>[]
	paging?: { cursors: { after: string }; next?: string; previous?: string }
}

const BODY = { type: 'BODY', text: 'Your parcel is on its way.' }

function create(scene: Scene, template: Record<string, unknown>): Promise<GraphAnswer> {
	const whole = { name: 'parcel', language: 'en_US', category: 'UTILITY', components: [BODY], ...template }
	return scene.graph('POST', `${scene.account.waba_id}/message_templates`, whole)
}

async function list(scene: Scene, query: string): Promise<Listed> {
	const { body } = await scene.graph('GET', `${scene.account.waba_id}/message_templates?${query}`)
	return body as unknown as Listed
}

test('a new template is PENDING, then approved or rejected, with a webhook for the decision', async (t) => {
	const scene = await startScene(t, { reviewDelayMs: 30 })
	const { body } = await create(scene, {})
	assert.deepEqual([body['status'], body['category']], ['PENDING', 'UTILITY'])
	await create(scene, { name: 'please_reject_me' })
	await scene.control.waitIdle()
	const { data } = await list(scene, 'fields=name,status,rejected_reason&name=please_reject_me')
	assert.deepEqual(data[0]?.['rejected_reason'], 'INVALID_FORMAT')
	const events = scene.receiver
		.changes('message_template_status_update')
		.map(({ value }) => [value['message_template_name'], value['event'], value['reason']])
	assert.deepEqual(events, [
		['parcel', 'APPROVED', 'NONE'],
		['please_reject_me', 'REJECTED', 'INVALID_FORMAT'],
	])
})

test('the webhook of a template carries its id as a number beyond the safe integers', async (t) => {
	const scene = await startScene(t)
	const { body } = await create(scene, {})
	await scene.control.waitIdle()
	const [delivery] = scene.receiver.deliveries
	assert.ok(delivery?.text.includes(`"message_template_id":${String(body['id'])},`))
	assert.equal(Number.isSafeInteger(Number(body['id'])), false)
})

test('a template that advertises is created as MARKETING when UTILITY was requested', async (t) => {
	const scene = await startScene(t)
	const components = [{ type: 'BODY', text: 'Get 20% off on all sarees today.' }]
	assert.equal((await create(scene, { components })).body['category'], 'MARKETING')
})

test('following `next` lists every template once, and an unknown cursor returns 131059', async (t) => {
	const scene = await startScene(t)
	const { waba_id } = scene.account
	for (let each = 0; each < 6; each++) {
		await scene.control.addTemplate({ waba_id, name: `t${each}`, components: [BODY] })
	}
	const names: unknown[] = []
	let query = 'fields=name&limit=3'
	for (let page = 1; page <= 3; page++) {
		const { data, paging } = await list(scene, query)
		names.push(...data.map((template) => template['name']))
		assert.ok(paging?.cursors.after)
		assert.equal(paging.next === undefined, page === 3)
		query = new URL(paging.next ?? 'http://none').search.slice(1)
	}
	assert.deepEqual(names, ['t5', 't4', 't3', 't2', 't1', 't0', 'hello'])
	const { body } = await scene.graph('GET', `${waba_id}/message_templates?after=bm9uZQ`)
	assert.equal(body.error?.code, 131059)
})

test('quality_score and rejected_reason are returned only when requested, and an unknown field returns 100', async (t) => {
	const scene = await startScene(t)
	const [usual] = (await list(scene, '')).data
	assert.ok(usual && !('quality_score' in usual) && !('rejected_reason' in usual))
	const [asked] = (await list(scene, 'fields=name,quality_score')).data
	assert.equal((asked?.['quality_score'] as { score: string } | undefined)?.score, 'GREEN')
	assert.equal(((await list(scene, 'fields=colour')) as unknown as GraphAnswer['body']).error?.code, 100)
	assert.equal((await list(scene, 'status=REJECTED')).data.length, 0)
})

test('an approved template can be edited once a day, except its category, and is reviewed again', async (t) => {
	const scene = await startScene(t, { reviewDelayMs: 1000 })
	const { id } = await scene.control.addTemplate({ waba_id: scene.account.waba_id, name: 'fresh', components: [BODY] })
	const components = [{ type: 'BODY', text: 'It is nearly there.' }]
	assert.notEqual((await scene.graph('POST', id, { category: 'UTILITY' })).status, 200)
	assert.deepEqual((await scene.graph('POST', id, { components })).body, { success: true })
	assert.equal((await scene.graph('GET', `${id}?fields=status`)).body['status'], 'PENDING')
	await scene.control.waitIdle()
	assert.equal((await scene.graph('GET', `${id}?fields=status`)).body['status'], 'APPROVED')
	assert.equal((await scene.graph('POST', id, { components })).body.error?.code, 100)
})

test('deleting a template by name removes every language, by id only one', async (t) => {
	const scene = await startScene(t)
	const first = await create(scene, { language: 'en_US' })
	await create(scene, { language: 'hi' })
	const path = `${scene.account.waba_id}/message_templates`
	const one = `hsm_id=${String(first.body['id'])}&name=parcel`
	assert.deepEqual((await scene.graph('DELETE', `${path}?${one}`)).body, { success: true })
	assert.deepEqual((await list(scene, 'name=parcel&fields=language')).data.length, 1)
	assert.deepEqual((await scene.graph('DELETE', `${path}?name=parcel`)).body, { success: true })
})

test('deleting a template of an unknown name returns 400 with subcode 2593002 and the name', async (t) => {
	const { graph, account } = await startScene(t)
	const { status, body } = await graph('DELETE', `${account.waba_id}/message_templates?name=fake%20name`)
	const { fbtrace_id, ...error } = body.error ?? { fbtrace_id: '' }
	assert.match(fbtrace_id, /^A/)
	assert.equal(status, 400)
	assert.deepEqual(error, {
		message: 'Invalid parameter',
		type: 'OAuthException',
		code: 100,
		error_subcode: 2593002,
		is_transient: false,
		error_user_title: 'Message Template Not Found',
		error_user_msg: "The message template fake name wasn't found for this account.",
	})
})

test('the name and language of a deleted template are locked if it was approved, and its other languages are not', async (t) => {
	const scene = await startScene(t)
	await create(scene, {})
	const { error: taken } = (await create(scene, {})).body
	assert.equal(taken?.error_subcode, 2388024)
	assert.match(taken.error_user_msg ?? '', /^There is already English \(US\) content for this template\./)
	await scene.control.waitIdle()
	await scene.graph('DELETE', `${scene.account.waba_id}/message_templates?name=parcel`)
	const { error: locked } = (await create(scene, {})).body
	assert.equal(locked?.error_subcode, 2388023)
	assert.match(locked.error_user_msg ?? '', /^New English \(US\) content can't be added while .* Try again in 4 weeks/)
	assert.equal((await create(scene, { language: 'hi' })).status, 200)
	const { error: named } = (await create(scene, { name: 'Parcel!' })).body
	assert.deepEqual([named?.code, named?.error_subcode], [100, 2388046])
})

test('following `previous` from the last page of templates returns the page before it', async (t) => {
	const scene = await startScene(t)
	const { waba_id } = scene.account
	for (let each = 0; each < 4; each++) {
		await scene.control.addTemplate({ waba_id, name: `t${each}`, components: [BODY] })
	}
	const first = await list(scene, 'fields=name&limit=2')
	assert.equal(first.paging?.previous, undefined)
	const second = await list(scene, new URL(first.paging?.next ?? '').search.slice(1))
	const again = await list(scene, new URL(second.paging?.previous ?? '').search.slice(1))
	assert.deepEqual(again, first)
	assert.match(first.paging?.next ?? '', /\/v25\.0\//)
})

function withCall(phone_number: string) {
	const buttons = [{ type: 'PHONE_NUMBER', text: 'Call', phone_number }]
	return { components: [BODY, { type: 'BUTTONS', buttons }] }
}

test('a call button is kept with a plus before its number, and one without a number returns code 192', async (t) => {
	const scene = await startScene(t)
	const { body } = await create(scene, withCall('919876543210'))
	const { components } = (await scene.graph('GET', String(body['id']))).body
	assert.deepEqual(components, withCall('+919876543210').components)
	const { error } = (await create(scene, { name: 'other', ...withCall('call me') })).body
	assert.equal(error?.code, 192)
	assert.equal(error.message, "(#192) Param components[1]['buttons'][0]['phone_number'] is not a valid phone number.")
})

test('pausing, unpausing, recategorising and a quality change each send a webhook under their own field', async (t) => {
	const scene = await startScene(t)
	const { control, account, receiver } = scene
	const ref = { waba_id: account.waba_id, name: 'hello' }
	const { data } = await list(scene, 'fields=id&name=hello')
	await control.pauseTemplate(ref)
	assert.deepEqual((await scene.graph('POST', `${String(data[0]?.['id'])}/unpause`)).body, { success: true })
	await control.recategoriseTemplate({ ...ref, category: 'UTILITY', impending: true })
	await control.recategoriseTemplate({ ...ref, category: 'UTILITY' })
	await control.setTemplateQuality({ ...ref, quality: 'RED' })
	await control.waitIdle()
	const statuses = receiver.changes('message_template_status_update').map(({ value }) => value['event'])
	assert.deepEqual(statuses, ['PAUSED', 'APPROVED'])
	const [impending, done] = receiver.changes('template_category_update').map(({ value }) => value)
	assert.deepEqual([impending?.['new_category'], impending?.['correct_category']], ['MARKETING', 'UTILITY'])
	assert.deepEqual([done?.['previous_category'], done?.['new_category']], ['MARKETING', 'UTILITY'])
	const [quality] = receiver.changes('message_template_quality_update').map(({ value }) => value)
	assert.deepEqual([quality?.['previous_quality_score'], quality?.['new_quality_score']], ['GREEN', 'RED'])
})
