import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectSimulator } from './client.ts'
import { startScene } from './test-scene.ts'

test('connectSimulator returns the same counts over HTTP as the simulator in this process, and rejects with its errors', async (t) => {
	const { url, control, send } = await startScene(t)
	const remote = connectSimulator(url)
	await send({ to: '+919811111111', biz_opaque_callback_data: 'm1' })
	await remote.waitIdle()
	assert.deepEqual(await remote.counters(), await control.counters())
	assert.deepEqual(await remote.received('+919811111111'), await control.received('919811111111'))
	assert.deepEqual(await remote.receivedCounts(), { 919811111111: 1 })
	assert.equal(await remote.acceptedWith('m1'), 1)
	await assert.rejects(remote.setPhone({ phone_number_id: 'none' }), /No phone number none/)
	await assert.rejects(remote.addFault({ kind: 'eror', code: 1 } as never), /No fault of kind eror/)
})

test('createAccount with ids that exist keeps the account and adds a new phone number', async (t) => {
	const { control } = await startScene(t)
	const ids = { wabaId: '1000', phoneNumberId: '2000', token: 'secret', appId: '3000', appSecret: 'shh' }
	const first = await control.createAccount({ ...ids, name: 'First' })
	assert.deepEqual(await control.createAccount({ ...ids, name: 'Second', appSecret: 'other' }), first)
	const second = await control.createAccount({ ...ids, phoneNumberId: '2001', phone: '919800000001' })
	assert.deepEqual([second.waba_id, second.phone_number_id], ['1000', '2001'])
	const components = [{ type: 'BODY', text: 'Hi' }]
	const template = { waba_id: '1000', name: 'hi', components }
	assert.deepEqual(await control.addTemplate(template), await control.addTemplate(template))
})

test('reset deletes accounts, tokens and counts', async (t) => {
	const { control, send, graph, account } = await startScene(t)
	await send()
	await control.reset()
	assert.equal((await control.counters()).accepted, 0)
	assert.equal((await graph('GET', account.waba_id)).status, 401)
	await control.waitIdle()
})
