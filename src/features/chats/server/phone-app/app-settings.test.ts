import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { launchProduct, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

const product = await launchProduct()
const { token, credentials } = await sendingAccount(product, { contacts: 1, balancePaise: 1000 })
const { phone_number_id } = credentials
const { url } = product.process

const save = (history: boolean, withContacts: boolean) =>
	call(url, chats.savePhoneApp, { body: { history, contacts: withContacts }, token })
const isStored = async (search: string) =>
	(await call(url, contacts.list, { query: { search, page: 1, limit: 10 }, token })).body.contacts

test('chats.savePhoneApp requests the data of the phone app once, and returns a refusal of WhatsApp as a warning', async () => {
	assert.deepEqual((await call(url, chats.phoneApp, { token })).body, {
		history: false,
		contacts: false,
		isInApp: false,
	})
	const outside = await save(true, false)
	assert.deepEqual([outside.status, outside.body.warnings.length, outside.body.settings.history], [200, 1, true])
	assert.deepEqual((await save(false, false)).body.warnings, [])
	await product.simulator.control.setPhone({ phone_number_id, is_on_biz_app: true })
	assert.deepEqual((await save(true, true)).body.warnings, [])
	await until(async () => (await isStored('Meera')).length === 1)
	const messages = async () =>
		(await call(url, chats.messages, { params: { number: '919812300001' }, token })).body.messages.map(
			({ text }) => text,
		)
	await until(async () => (await messages()).length === 2)
	assert.deepEqual(await messages(), ['Do you have this in blue?', 'Yes, and in green.'])
	const [meera] = await isStored('Meera')
	assert.deepEqual([meera?.optedOut, meera?.optedOutBecause], [true, 'phone_app'])
	await save(false, true)
	assert.deepEqual((await save(true, true)).body.warnings, [
		'Earlier chats: WhatsApp was asked before and sends them only once.',
	])
	assert.equal((await call(url, chats.savePhoneApp, { body: { history: 'yes' } as never, token })).status, 400)
})
