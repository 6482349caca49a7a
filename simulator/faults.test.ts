import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { type Scene, startScene } from './test-scene.ts'

const RECIPIENT = '919811111111'
const TO_RECIPIENT = { to: `+${RECIPIENT}`, biz_opaque_callback_data: 'm1' }

async function statusesOf({ control, receiver }: Scene): Promise<string[]> {
	await control.waitIdle()
	return receiver.statuses().map((each) => each.status)
}

test('an error fault refuses only sends to its recipient, `times` times, with the HTTP status of its code', async (t) => {
	const { send, control } = await startScene(t)
	await control.addFault({ kind: 'error', code: 131016, to: RECIPIENT, times: 2 })
	await control.addFault({ kind: 'error', code: 130429, to: '919822222222', status: 429 })
	assert.equal((await send()).status, 200)
	for (const _ of [1, 2]) {
		const { status, body } = await send(TO_RECIPIENT)
		assert.equal(status, 500)
		assert.equal(body.error?.code, 131016)
	}
	assert.equal((await send(TO_RECIPIENT)).status, 200)
	assert.equal((await send({ to: '+919822222222' })).status, 429)
	await control.clearFaults()
	assert.equal((await send({ to: '+919822222222' })).status, 200)
	assert.equal((await control.counters()).accepted, 3)
})

test('a fault of another phone number does not apply, and one with probability 0.5 applies to some sends', async (t) => {
	const { send, control, account } = await startScene(t)
	await control.addFault({ kind: 'error', code: 131031, phone_number_id: 'another' })
	assert.equal((await send()).status, 200)
	await control.addFault({ kind: 'error', code: 131031, phone_number_id: account.phone_number_id, probability: 0.5 })
	const answers = await Promise.all(Array.from({ length: 60 }, () => send()))
	const refused = answers.filter((answer) => answer.status === 403).length
	assert.ok(refused > 5 && refused < 55)
})

test('drop and server-error accept the message only with `accepted: true`', async (t) => {
	const scene = await startScene(t)
	const { send, control } = scene
	for (const accepted of [false, true]) {
		await control.addFault({ kind: 'drop', accepted, to: RECIPIENT, times: 1 })
		await assert.rejects(send(TO_RECIPIENT))
		assert.equal(await control.acceptedWith('m1'), accepted ? 1 : 0)
	}
	for (const accepted of [false, true]) {
		await control.addFault({ kind: 'server-error', accepted, to: RECIPIENT, times: 1 })
		await assert.rejects(send(TO_RECIPIENT), SyntaxError)
		assert.equal(await control.acceptedWith('m1'), accepted ? 2 : 1)
	}
	await control.addFault({ kind: 'error', code: 131000, accepted: true, to: RECIPIENT, times: 1 })
	assert.equal((await send(TO_RECIPIENT)).body.error?.code, 131000)
	assert.equal((await statusesOf(scene)).length, 9)
	assert.deepEqual((await control.counters()).duplicates, [{ callback_data: 'm1', times: 3 }])
})

test('a fault with skip applies after `skip` calls, and `times` counts from there', async (t) => {
	const { graph, account, control } = await startScene(t)
	await control.addFault({ call: 'message_templates', kind: 'error', code: 2, skip: 2, times: 1 })
	const statuses: number[] = []
	for (let n = 0; n < 4; n++) statuses.push((await graph('GET', `${account.waba_id}/message_templates`)).status)
	assert.deepEqual(statuses, [200, 200, 503, 200])
})

test('hang never answers, and delay answers after the webhooks of the accepted message', async (t) => {
	const { url, account, send, control, receiver } = await startScene(t)
	await control.addFault({ kind: 'hang', accepted: true, to: RECIPIENT, times: 1 })
	const patience = new AbortController()
	const hanging = fetch(`${url}/v25.0/${account.phone_number_id}/messages`, {
		method: 'POST',
		headers: { authorization: `Bearer ${account.access_token}` },
		body: JSON.stringify({ messaging_product: 'whatsapp', ...TO_RECIPIENT, type: 'template', template: HELLO }),
		signal: patience.signal,
	})
	const refused = assert.rejects(hanging, { name: 'AbortError' })
	await until(async () => (await control.acceptedWith('m1')) === 1)
	setTimeout(() => patience.abort(), 80)
	await refused
	await control.addFault({ kind: 'delay', ms: 250, accepted: true, to: RECIPIENT, times: 1 })
	const { body } = await send(TO_RECIPIENT)
	assert.ok(receiver.statuses().some((each) => each.id === body.messages?.[0]?.id))
})

const HELLO = { name: 'hello', language: { code: 'en_US' } }

test('fail-later accepts the message and sends the status `failed` with its code by webhook', async (t) => {
	const { send, control, receiver } = await startScene(t)
	await control.addFault({ kind: 'fail-later', code: 131049, details: 'Too many', to: RECIPIENT })
	assert.equal((await send(TO_RECIPIENT)).status, 200)
	await control.waitIdle()
	const [failed] = receiver.statuses()
	assert.equal(failed?.status, 'failed')
	assert.equal(failed.errors?.[0]?.code, 131049)
	assert.equal(failed.errors[0].error_data.details, 'Too many')
	assert.equal(failed.biz_opaque_callback_data, 'm1')
})

test('a message in the quality check is delivered later, or fails with 132015 when it is dropped', async (t) => {
	const scene = await startScene(t)
	const { send, control, receiver } = scene
	await control.addFault({ kind: 'quality-check', ms: 60, to: RECIPIENT, times: 1 })
	const { body } = await send(TO_RECIPIENT)
	assert.equal(body.messages?.[0]?.message_status, 'held_for_quality_assessment')
	assert.equal((await statusesOf(scene)).length, 3)
	await control.addFault({ kind: 'quality-check', ms: 10, dropped: true, to: RECIPIENT })
	await send(TO_RECIPIENT)
	await control.waitIdle()
	assert.equal(receiver.statuses().find((each) => each.status === 'failed')?.errors?.[0]?.code, 132015)
})

test('webhook-reorder faults reverse the statuses of a message, and read-without-delivered omits `delivered`', async (t) => {
	const scene = await startScene(t)
	const { send, control, receiver } = scene
	// All statuses arrive in one POST: separate POSTs in quick succession may overtake each other on different connections.
	const orderWith = async (fault: Parameters<typeof control.addFault>[0], statuses: number): Promise<string> => {
		await control.clearFaults()
		await control.addFault(fault)
		receiver.deliveries.length = 0
		await control.holdWebhooks()
		await send(TO_RECIPIENT)
		await until(async () => (await control.webhookStats()).held === statuses)
		await control.releaseWebhooks()
		return (await statusesOf(scene)).join(' ')
	}
	assert.equal(await orderWith({ kind: 'webhook-reorder' }, 3), 'read delivered sent')
	assert.equal(await orderWith({ kind: 'read-without-delivered' }, 2), 'sent read')
})

test('webhook faults duplicate, split, delay, strip or drop the statuses of a message', async (t) => {
	const scene = await startScene(t)
	const { send, control, receiver } = scene
	const statusesWith = async (fault: Parameters<typeof control.addFault>[0]): Promise<string> => {
		await control.clearFaults()
		await control.addFault(fault)
		receiver.deliveries.length = 0
		await send(TO_RECIPIENT)
		return (await statusesOf(scene)).join(' ')
	}
	await control.setStatusPlan({ sentMs: 10, deliveredMs: 50, readMs: 90 })
	assert.equal(await statusesWith({ kind: 'silent' }), '')
	assert.equal((await statusesWith({ kind: 'webhook-duplicate' })).split(' ').length, 6)
	await statusesWith({ kind: 'webhook-without-callback-data' })
	assert.ok(receiver.statuses().every((each) => each.biz_opaque_callback_data === undefined))
	const begun = performance.now()
	await statusesWith({ kind: 'webhook-late', ms: 100 })
	assert.ok(performance.now() - begun >= 180)
	await control.setStatusPlan({ sentMs: 0, deliveredMs: 0, readMs: 0 })
	await statusesWith({ kind: 'webhook-split' })
	assert.equal(receiver.deliveries.length, 3)
})

test('a fault with `call` applies to that Graph call and not to sends', async (t) => {
	const { graph, control, account } = await startScene(t)
	await control.addFault({ kind: 'error', code: 80007, call: 'message_templates', times: 1 })
	const path = `${account.waba_id}/message_templates`
	assert.equal((await graph('GET', path)).body.error?.code, 80007)
	assert.equal((await graph('GET', path)).status, 200)
	await control.addFault({ kind: 'drop', accepted: false, call: 'phone' })
	await assert.rejects(graph('GET', account.phone_number_id))
})
