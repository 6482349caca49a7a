import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

const KINDS = [
	'text',
	'image',
	'video',
	'document',
	'audio',
	'sticker',
	'location',
	'contacts',
	'button',
	'interactive',
	'unsupported',
]

test('sendInbound delivers every type of message by webhook, and its media can be downloaded', async (t) => {
	const { control, receiver, account, graph } = await startScene(t)
	const { phone_number_id } = account
	for (const type of KINDS) await control.sendInbound({ phone_number_id, from: '+91 98123 45678', type })
	const reaction = { message_id: 'wamid.x', emoji: '👍' }
	await control.sendInbound({ phone_number_id, from: '919812345678', type: 'reaction', content: reaction })
	await control.waitIdle()
	const values = receiver.changes().map((change) => change.value)
	const messages = values.flatMap((value) => value.messages ?? [])
	assert.deepEqual(messages.map((message) => message['type']).toSorted(), [...KINDS, 'reaction'].toSorted())
	assert.ok(messages.every((message) => message['from'] === '919812345678' && message[String(message['type'])]))
	assert.deepEqual(messages.find((message) => message['type'] === 'reaction')?.['reaction'], reaction)
	const contact = { profile: { name: 'Priya Menon' }, wa_id: '919812345678' }
	assert.ok(values.every((value) => JSON.stringify(value['contacts']) === JSON.stringify([contact])))
	const found = messages.find((message) => message['type'] === 'image')?.['image']
	const image = found as { id: string; sha256: string; url: string }
	const { body } = await graph('GET', image.id)
	assert.equal(body['sha256'], Buffer.from(image.sha256, 'base64').toString('hex'))
	const file = await fetch(image.url, { headers: { authorization: `Bearer ${account.access_token}` } })
	assert.equal((await file.arrayBuffer()).byteLength, body['file_size'])
})

test('a reply rate of 1 makes the recipient of every delivered message send a reply', async (t) => {
	const { control, receiver, account, send } = await startScene(t)
	await control.setReplies({ phone_number_id: account.phone_number_id, rate: 1, minMs: 1, maxMs: 5 })
	for (let each = 0; each < 20; each++) await send()
	await control.waitIdle()
	assert.equal(receiver.changes().flatMap((change) => change.value.messages ?? []).length, 20)
})

test('sendWebhook delivers the given field and value unchanged', async (t) => {
	const { control, receiver, account } = await startScene(t)
	const value = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }
	await control.sendWebhook({ waba_id: account.waba_id, field: 'account_update', value })
	await control.waitIdle()
	assert.deepEqual(
		receiver.changes('account_update').map((change) => change.value),
		[value],
	)
})

test('sendInbound gives Brazilian, Mexican and Argentine senders the ids that WhatsApp assigns to them', async (t) => {
	const { control, receiver, account } = await startScene(t)
	const { phone_number_id } = account
	for (const from of ['5531987654321', '525512345678', '541123456789'])
		await control.sendInbound({ phone_number_id, from, type: 'text' })
	await control.waitIdle()
	const senders = receiver.changes().flatMap(({ value }) => (value.messages ?? []).map((message) => message['from']))
	assert.deepEqual(senders, ['553187654321', '5215512345678', '5491123456789'])
})

test('sendEcho and changePerson deliver what is typed on the phone and changed ids in the fields that Meta uses', async (t) => {
	const { control, receiver, account } = await startScene(t)
	const { phone_number_id } = account
	await control.sendEcho({ phone_number_id, to: '919812345678' })
	await control.sendEcho({ phone_number_id, to_user_id: 'IN.a1', type: 'image', content: { id: '7' } })
	await control.changePerson({ phone_number_id, from: '919812345678', wa_id: '919812345679', user_id: 'IN.b2' })
	await control.changePerson({ phone_number_id, user_id: 'IN.c3', previous_user_id: 'IN.b2' })
	await control.shareNumber({ phone_number_id, user_id: 'IN.c3', number: '919812345679' })
	await control.waitIdle()
	const valuesOf = (field: string) => receiver.changes(field).map(({ value }) => value as Record<string, unknown[]>)
	const echoes = valuesOf('smb_message_echoes').flatMap((value) => value['message_echoes'] ?? []) as Record<
		string,
		string
	>[]
	assert.deepEqual(
		echoes.map((echo) => [echo['from'], echo['to'] ?? echo['to_user_id']]),
		[
			['919876500000', '919812345678'],
			['919876500000', 'IN.a1'],
		],
	)
	const messages = valuesOf('messages').flatMap((value) => value['messages'] ?? []) as Record<string, unknown>[]
	const notes = messages.map((message) => message['system'] as { type: string } | undefined)
	const types = notes.flatMap((note) => note?.type ?? [])
	assert.deepEqual(types, ['user_changed_number', 'user_changed_user_id'])
	const [card] = (messages.at(-1)?.['contacts'] ?? []) as { origin: string }[]
	assert.deepEqual(
		[card?.origin, messages.at(-1)?.['from_user_id'], messages.at(-1)?.['from']],
		['contact_request', 'IN.c3', undefined],
	)
})
