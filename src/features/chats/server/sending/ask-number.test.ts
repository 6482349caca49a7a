import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const product = await launchProduct()
const sender = await sendingAccount(product, { contacts: 1, balancePaise: 1000 })
const { phone_number_id } = sender.credentials
const { control } = product.simulator
const HIDDEN = 'IN.hides12'

const ask = (number: string, given: { message?: string; requestId?: string } = {}) =>
	call(product.process.url, chats.askNumber, { body: { number, ...given }, token: sender.token })
const messagesWith = async (number: string) =>
	(await call(product.process.url, chats.messages, { params: { number }, token: sender.token })).body.messages
const textsWith = async (number: string) => (await messagesWith(number)).map(({ text }) => text)

test('a customer who hides the number is asked for it once per request, and the answer makes a contact and joins the chat', async () => {
	await control.sendInbound({
		phone_number_id,
		from: '919800077001',
		user_id: HIDDEN,
		name: 'Asha',
		content: { body: 'Hi' },
	})
	await until(async () => (await messagesWith(HIDDEN)).length === 1)
	const requestId = randomUUID()
	const first = await ask(HIDDEN, { requestId })
	assert.deepEqual([first.status, first.body.newMessage.kind], [200, 'contact_request'])
	assert.equal((await ask(HIDDEN, { requestId })).body.newMessage.id, first.body.newMessage.id)
	const own = await ask(HIDDEN, { message: 'Where may we call you?' })
	assert.equal(own.body.newMessage.text, 'Where may we call you?')
	const { messages } = await control.received(HIDDEN)
	const sent = messages.map(({ payload }) => (payload as { interactive?: object }).interactive)
	assert.deepEqual(sent.at(-1), {
		type: 'request_contact_info',
		body: { text: 'Where may we call you?' },
		action: { name: 'request_contact_info' },
	})
	assert.equal(sent.length, 2)
	await control.shareNumber({ phone_number_id, user_id: HIDDEN, number: '919800077001', name: 'Asha' })
	await until(async () => (await textsWith('919800077001')).includes('Hi'))
	const { body } = await call(product.process.url, contacts.list, {
		query: { search: '919800077001', page: 1, limit: 10 },
		token: sender.token,
	})
	assert.deepEqual(
		body.contacts.map(({ firstName, consent }) => [firstName, consent]),
		[['Asha', null]],
	)
	// The number is known now, and the old key still finds the chat.
	const known = await ask(HIDDEN)
	assert.deepEqual([known.status, known.body.message], [400, 'You already have the phone number of this person'])
})

test('chats.askNumber returns 400 for a number and a text that is too long, and 404 for an unknown user id', async () => {
	assert.equal((await ask('919800077009')).status, 400)
	assert.equal((await ask('IN.unknown1')).status, 404)
	assert.equal((await ask(HIDDEN, { message: 'x'.repeat(1025) })).status, 400)
})

test('the chat shows what the business types on its phone, and follows the customer to the new number', async () => {
	const [before, after] = ['919800077011', '919800077012']
	await control.sendInbound({ phone_number_id, from: before, content: { body: 'Is it ready?' } })
	await until(async () => (await messagesWith(before)).length === 1)
	await control.sendEcho({ phone_number_id, to: before, content: { body: 'Yes, come by' } })
	await until(async () => (await messagesWith(before)).length === 2)
	assert.equal((await messagesWith(before)).at(-1)?.isFromPhone, true)
	await control.changePerson({ phone_number_id, from: before, wa_id: after })
	await until(async () => (await textsWith(after)).includes('Yes, come by'))
	assert.deepEqual(await textsWith(before), [])
})
