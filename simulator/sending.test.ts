import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

test('an accepted template message reports sent, delivered and read with its callback data, and its price on two', async (t) => {
	const { send, control, receiver } = await startScene(t)
	const { status, body } = await send({ to: '+919812345678', biz_opaque_callback_data: 'm1' })
	assert.equal(status, 200)
	const id = body.messages?.[0]?.id
	assert.deepEqual(body, {
		messaging_product: 'whatsapp',
		contacts: [{ input: '+919812345678', wa_id: '919812345678' }],
		messages: [{ id, message_status: 'accepted' }],
	})
	await control.waitIdle()
	const reported = receiver.statuses()
	const order = ['sent', 'delivered', 'read']
	assert.deepEqual(
		reported.map((each) => each.status).toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
		order,
	)
	assert.ok(reported.every((each) => each.id === id && each.recipient_id === '919812345678'))
	assert.ok(reported.every((each) => each.biz_opaque_callback_data === 'm1' && /^\d{10}$/.test(each.timestamp)))
	const priced = reported.filter((each) => each.pricing?.category === 'marketing')
	assert.deepEqual(priced.map((each) => each.status).toSorted(), ['delivered', 'sent'])
})

test('free text returns 131047 outside the customer service window, and is free of charge within it', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	const text = { to: '+919812345678', type: 'text', text: { body: 'Hello' } }
	const refused = await send(text)
	assert.equal(refused.status, 400)
	assert.equal(refused.body.error?.code, 131047)
	await control.sendInbound({ phone_number_id: account.phone_number_id, from: '919812345678' })
	const taken = await send(text)
	assert.equal(taken.status, 200)
	assert.equal(taken.body.messages?.[0]?.message_status, undefined)
	await control.waitIdle()
	assert.equal(receiver.statuses()[0]?.pricing?.billable, false)
})

test('free text outside the window fails by webhook with `window: webhook`, and is sent with `window: off`', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	const { phone_number_id } = account
	await control.setPhone({ phone_number_id, window: 'webhook' })
	assert.equal((await send({ type: 'text', text: { body: 'Hello' } })).status, 200)
	await control.waitIdle()
	assert.deepEqual(
		receiver.statuses().map(({ status, errors }) => [status, errors?.[0]?.code]),
		[['failed', 131047]],
	)
	await control.setPhone({ phone_number_id, window: 'off' })
	await send({ type: 'text', text: { body: 'Hello' } })
	await control.waitIdle()
	assert.equal(receiver.statuses().length, 4)
})

test('a recipient without a plus gets the sender’s country code unless it already starts with it', async (t) => {
	const { send } = await startScene(t)
	const waIdFor = async (to: string): Promise<unknown> => {
		const { contacts } = (await send({ to })).body as { contacts: { wa_id: string }[] }
		return contacts[0]?.wa_id
	}
	assert.equal(await waIdFor('+16505551234'), '16505551234')
	assert.equal(await waIdFor('16505551234'), '9116505551234')
	assert.equal(await waIdFor('9812345678'), '919812345678')
	assert.equal(await waIdFor('919812345678'), '919812345678')
})

test('a failRate of 1 makes every message fail with a code, and a readRate of 0 leaves all of them delivered', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	await control.setStatusPlan({ failRate: 1 })
	await send()
	await control.waitIdle()
	const failed = receiver.statuses().find((each) => each.status === 'failed')
	assert.ok([131026, 131049].includes(failed?.errors?.[0]?.code ?? 0))
	await control.setStatusPlan({ failRate: 0, readRate: 0, phone_number_id: account.phone_number_id })
	const { body } = await send()
	await control.waitIdle()
	const reported = receiver.statuses().filter((each) => each.id === body.messages?.[0]?.id)
	assert.deepEqual(reported.map((each) => each.status).toSorted(), ['delivered', 'sent'])
})

test('a read receipt without a valid message id is refused', async (t) => {
	const { graph, account } = await startScene(t)
	const receipt = { messaging_product: 'whatsapp', status: 'read', typing_indicator: { type: 'text' } }
	const path = `${account.phone_number_id}/messages`
	assert.deepEqual((await graph('POST', path, { ...receipt, message_id: 'wamid.abc' })).body, { success: true })
	assert.equal((await graph('POST', path, { ...receipt, message_id: 'abc' })).body.error?.code, 131009)
	assert.equal((await graph('POST', path, receipt)).body.error?.code, 100)
})

test('a send to the sender’s own number returns 131021, and one outside allowed_recipients 131030', async (t) => {
	const { send, control, account } = await startScene(t)
	assert.equal((await send({ to: '+919876500000' })).body.error?.code, 131021)
	await control.setPhone({ phone_number_id: account.phone_number_id, allowed_recipients: ['+919811111111'] })
	assert.equal((await send({ to: '+919822222222' })).body.error?.code, 131030)
	assert.equal((await send({ to: '+919811111111' })).status, 200)
})
