import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

test('an accepted template message gets the statuses sent, delivered and read with its callback data, and pricing in sent and delivered', async (t) => {
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

test('free text outside the customer service window is accepted and fails by webhook with 131047', async (t) => {
	const { send, control, receiver } = await startScene(t)
	const { status, body } = await send({ type: 'text', text: { body: 'Hello' } })
	assert.equal(status, 200)
	await control.waitIdle()
	assert.deepEqual(
		receiver.statuses().map((each) => [each.id, each.status, each.errors?.[0]?.code]),
		[[body.messages?.[0]?.id, 'failed', 131047]],
	)
})

test('free text is sent free of charge within the window, and outside of it with `window: off`', async (t) => {
	const { send, control, receiver, account } = await startScene(t)
	const { phone_number_id } = account
	await control.sendInbound({ phone_number_id, from: '919812345678' })
	const taken = await send({ to: '+919812345678', type: 'text', text: { body: 'Hello' } })
	assert.deepEqual([taken.status, taken.body.messages?.[0]?.message_status], [200, undefined])
	await control.waitIdle()
	assert.equal(receiver.statuses().find((each) => each.status === 'sent')?.pricing?.billable, false)
	await control.setPhone({ phone_number_id, window: 'off' })
	await send({ type: 'text', text: { body: 'Hello' } })
	await control.waitIdle()
	assert.equal(receiver.statuses().length, 6)
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

test('a message that the number received can be marked as read, with or without a typing indicator', async (t) => {
	const { graph, control, account } = await startScene(t)
	const { phone_number_id } = account
	const { id } = await control.sendInbound({ phone_number_id, from: '919812345678' })
	const receipt = { messaging_product: 'whatsapp', recipient_type: 'individual', status: 'read', message_id: id }
	const path = `${phone_number_id}/messages`
	assert.deepEqual((await graph('POST', path, receipt)).body, { success: true })
	const typing = { ...receipt, typing_indicator: { type: 'text' } }
	assert.deepEqual((await graph('POST', path, typing)).body, { success: true })
})

test('marking an unknown, a sent or another number’s message as read returns 400 with code 100 and the reason', async (t) => {
	const { graph, control, account, send } = await startScene(t)
	const mark = async (message_id?: string) => {
		const receipt = { messaging_product: 'whatsapp', status: 'read', message_id }
		const { status, body } = await graph('POST', `${account.phone_number_id}/messages`, receipt)
		return [status, body.error?.code, body.error?.error_data?.details]
	}
	const unknown = [400, 100, 'Please check the message ID you have provided.']
	for (const id of ['12345', 'wamid.abc', 'wamid.HBgNNTU0MTk2MTI3MzAwFQIAEhgWM0VCMEQ3OTQ5OTNBODkwMzg1QTZDRgA=']) {
		assert.deepEqual(await mark(id), unknown, id)
	}
	const second = await control.createAccount({ wabaId: account.waba_id, phone: '919876511111', phoneNumberId: '10001' })
	const { id } = await control.sendInbound({ phone_number_id: second.phone_number_id, from: '919812345678' })
	assert.deepEqual(await mark(id), unknown)
	assert.deepEqual((await mark())[1], 100)
	const sent = String((await send()).body.messages?.[0]?.id)
	const outgoing =
		`Message supplied to mark message as read API with message ID: ${sent} is outgoing. ` +
		'Please use an incoming message ID.'
	assert.deepEqual(await mark(sent), [400, 100, outgoing])
})

test('a send to the sender’s own number returns 131021, and one outside allowed_recipients 131030', async (t) => {
	const { send, control, account } = await startScene(t)
	assert.equal((await send({ to: '+919876500000' })).body.error?.code, 131021)
	await control.setPhone({ phone_number_id: account.phone_number_id, allowed_recipients: ['+919811111111'] })
	assert.equal((await send({ to: '+919822222222' })).body.error?.code, 131030)
	assert.equal((await send({ to: '+919811111111' })).status, 200)
})
