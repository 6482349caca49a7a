import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { recordWhatsappIds } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { receiveMessages } from './inbound/receive.ts'

const product = await launchProduct()
const sender = await sendingAccount(product, { contacts: 2, balancePaise: 5000 })

let numbers = 0
const newNumber = () => `9199000${String(++numbers).padStart(5, '0')}`

/** Returns a text as WhatsApp delivers it, written `secondsAgo`. */
function textFrom(number: string, text: string, secondsAgo: number, id = `wamid.${number}.${secondsAgo}`) {
	const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo)
	return { messages: [{ from: number, id, timestamp, type: 'text', text: { body: text } }] }
}

const receive = (...values: unknown[]) =>
	transaction(product.db, (sql) => receiveMessages(sql, sender.accountId, values))

async function optOutOf(number: string) {
	const { body } = await call(product.process.url, contacts.optedOut, {
		query: { search: number, page: 1, limit: 10 },
		token: sender.token,
	})
	return body.optedOut[0]
}

test('STOP opts a number out with time and reason, START opts it in again, and both are recorded', async () => {
	const number = newNumber()
	await insertContacts(product.db, sender.accountId, [{ firstName: 'Asha', lastName: 'Rao', number, groupId: null }])
	await receive(textFrom(number, 'STOP', 20))
	const row = await optOutOf(number)
	assert.deepEqual([row?.name, row?.because], ['Asha Rao', 'reply'])
	const [chat] = (
		await call(product.process.url, chats.contacts, { query: { search: number, limit: 1 }, token: sender.token })
	).body.contacts
	assert.equal(chat?.optedOut, true)
	await receive(textFrom(number, 'start', 10))
	assert.equal(await optOutOf(number), undefined)
	const history = await product.db<{ out: boolean }[]>`
		select is_opted_out as out from opt_out_changes where number = ${number} order by id
	`
	assert.deepEqual(
		history.map(({ out }) => out),
		[true, false],
	)
})

test('chats.contacts and contacts.optOuts find a number in any spelling', async () => {
	const number = newNumber()
	await receive(textFrom(number, 'STOP', 5))
	for (const search of [number, `+${number}`, `0${number.slice(2, 7)} ${number.slice(7)}`, `'${number.slice(2)}`]) {
		assert.equal((await optOutOf(search))?.number, number, search)
		const query = { search, limit: 2 }
		const found = await call(product.process.url, chats.contacts, { query, token: sender.token })
		assert.deepEqual(
			found.body.contacts.map((chat) => chat.number),
			[number],
			search,
		)
	}
})

test('STOP of a customer who now hides the number opts out the number of the earlier chat', async () => {
	const [number, userId] = [newNumber(), 'IN.hidesByNow1']
	const by = (who: object, [message]: ReturnType<typeof textFrom>['messages']) => ({
		messages: [{ ...message, ...who }],
	})
	const open = { from: number, from_user_id: userId }
	const hidden = { from: '', from_user_id: userId }
	await receive(by(open, textFrom(number, 'Hello', 40).messages))
	await receive(by(hidden, textFrom(number, 'STOP', 30).messages))
	assert.equal((await optOutOf(number))?.because, 'reply')
	const query = { search: userId, limit: 1 }
	const found = await call(product.process.url, chats.contacts, { query, token: sender.token })
	assert.deepEqual(found.body.contacts, [])
	const next = newNumber()
	const moved = { from: next, from_user_id: 'IN.hidesByNow2' }
	await receive(
		by(moved, textFrom(next, 'Hello', 20).messages),
		by({ ...moved, from: '' }, textFrom(next, 'Stop', 10).messages),
	)
	assert.equal((await optOutOf(next))?.because, 'reply')
})

test('STOP under WhatsApp’s id of a Brazilian number answers the campaign in the chat of the dialled number', async () => {
	const brazilian = await sendingAccount(product, { contacts: 0, balancePaise: 5000 })
	const [typed, waId] = ['5531987654321', '553187654321']
	await insertContacts(product.db, brazilian.accountId, [
		{ firstName: 'Ana', lastName: null, number: typed, groupId: null },
	])
	const campaignId = await startCampaign(product, brazilian)
	await campaignWhen(product, { ...brazilian, campaignId }, (c) => c.delivered + c.read === 1)
	const [sent] = await product.db<{ wamid: string }[]>`
		select wamid from campaign_messages where account_id = ${brazilian.accountId} and campaign_id = ${campaignId}
	`
	const [message] = textFrom(waId, 'STOP', 0).messages
	const value = { messages: [{ ...message, context: { id: sent?.wamid } }] }
	await transaction(product.db, (sql) => receiveMessages(sql, brazilian.accountId, [value]))
	const [contact] = await product.db<{ because: string | null }[]>`
		select opted_out_because as because from contacts where account_id = ${brazilian.accountId} and number = ${typed}
	`
	assert.equal(contact?.because, 'reply')
	const [stored] = await product.db<{ chat: string; campaignId: number | null }[]>`
		select chat, reply_campaign_id as "campaignId" from chat_messages where account_id = ${brazilian.accountId} and direction = 'in'
	`
	assert.deepEqual({ ...stored }, { chat: typed, campaignId })
})

test('an opt-out under WhatsApp’s id applies to the dialled number after the id is known', async () => {
	const [typed, waId] = ['22997123456', '2290197123456']
	await receive(textFrom(waId, 'STOP', 5))
	await transaction(product.db, (sql) => recordWhatsappIds(sql, sender.accountId, [{ number: typed, waId }]))
	assert.equal((await optOutOf(typed))?.because, 'reply')
	await receive(textFrom(waId, 'START', 0))
	assert.equal(await optOutOf(typed), undefined)
})

test('the later of STOP and START applies, in any order and repetition of arrival', async () => {
	for (const order of [
		[0, 1, 2],
		[2, 1, 0],
		[1, 2, 0],
		[2, 0, 1, 1],
	]) {
		const number = newNumber()
		const words = [textFrom(number, 'STOP', 30), textFrom(number, 'START', 20), textFrom(number, 'STOP', 10)]
		for (const index of order) await receive(words[index])
		assert.notEqual(await optOutOf(number), undefined, String(order))
	}
})

test('a number outside contacts remains opted out when it is added later, or again after a deletion', async () => {
	const number = newNumber()
	await receive(textFrom(number, 'unsubscribe', 5))
	await insertContacts(product.db, sender.accountId, [{ firstName: 'Late', lastName: null, number, groupId: null }])
	const [contact] = await product.db<{ id: number; because: string }[]>`
		select id, opted_out_because as because from contacts where number = ${number}
	`
	assert.equal(contact?.because, 'reply')
})

test('an opt-out is confirmed once per change by a message of the chat, if the settings say so', async () => {
	const settings = { confirms: true, optOutText: 'You are out.', optInText: 'Welcome back.' }
	const saved = await call(product.process.url, chats.saveSettings, { body: settings, token: sender.token })
	assert.deepEqual(saved.body.settings, { ...settings, optOutWords: [], optOutButtons: [] })
	const number = newNumber()
	const { phone_number_id } = sender.credentials
	const stop = { phone_number_id, from: number, content: { body: 'STOP' } }
	const { id } = await product.simulator.control.sendInbound(stop)
	await until(async () => (await optOutOf(number)) !== undefined)
	await receive(textFrom(number, 'STOP', 0, id))
	await product.simulator.control.sendInbound(stop)
	await until(async () => (await product.simulator.control.received(number)).accepted === 1)
	const { body } = await call(product.process.url, chats.messages, { params: { number }, token: sender.token })
	assert.deepEqual(
		body.messages.filter(({ from }) => from === 'me').map(({ text }) => text),
		['You are out.'],
	)
	await call(product.process.url, chats.saveSettings, { body: { ...settings, confirms: false }, token: sender.token })
	await receive(textFrom(newNumber(), 'STOP', 0))
})

test('contacts.setOptOuts opts numbers and contacts out and back in, and returns texts that are not numbers', async () => {
	const [first, second] = [newNumber(), newNumber()]
	await insertContacts(product.db, sender.accountId, [
		{ firstName: 'B', lastName: null, number: second, groupId: null },
	])
	const [contact] = await product.db<{ id: number }[]>`select id from contacts where number = ${second}`
	const set = (optedOut: boolean) =>
		call(product.process.url, contacts.setOptOuts, {
			body: { numbers: [`+${first}`, 'nonsense'], ids: [String(contact?.id)], optedOut },
			token: sender.token,
		})
	const { body } = await set(true)
	assert.deepEqual([body.changed, body.rejected], [2, ['nonsense']])
	assert.equal((await set(true)).body.changed, 0)
	assert.equal((await optOutOf(first))?.because, 'manual')
	assert.equal((await set(false)).body.changed, 2)
	assert.equal(await optOutOf(second), undefined)
	const none = await call(product.process.url, contacts.setOptOuts, { body: { optedOut: true }, token: sender.token })
	assert.equal(none.status, 400)
})

test('marketing stopped in WhatsApp opts a person out, and marketing resumed opts the person in', async () => {
	const { waba_id } = sender.credentials
	const prefer = (who: object, value: string, secondsAgo: number) => {
		const timestamp = Math.floor(Date.now() / 1000) - secondsAgo
		const preference = { ...who, category: 'marketing_messages', value, timestamp }
		const webhook = { waba_id, field: 'user_preferences', value: { user_preferences: [preference] } }
		return product.simulator.control.sendWebhook(webhook)
	}
	const [number, hiddenSince] = [newNumber(), newNumber()]
	const [message] = textFrom(hiddenSince, 'Hello', 60).messages
	await receive({ messages: [{ ...message, from_user_id: 'IN.hidesNumber8' }] })
	const people = [
		{ key: number, who: { wa_id: number } },
		{ key: hiddenSince, who: { user_id: 'IN.hidesNumber8' } },
		{ key: 'IN.hidesNumber7', who: { wa_id: '', user_id: 'IN.hidesNumber7' } },
	]
	for (const { key, who } of people) {
		await prefer(who, 'stop', 10)
		await until(async () => (await optOutOf(key))?.because === 'preference')
		await prefer(who, 'resume', 5)
		await until(async () => (await optOutOf(key)) === undefined)
	}
})

test('replies to a campaign show the quoted message and count once per recipient', async () => {
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ status }) => status === 'completed')
	const [message] = await product.db<{ number: string; wamid: string }[]>`
		select number, wamid from campaign_messages where campaign_id = ${campaignId} and wamid is not null limit 1
	`
	assert.ok(message)
	const { phone_number_id } = sender.credentials
	for (const body of ['How much?', 'And in blue?'])
		await product.simulator.control.sendInbound({
			phone_number_id,
			from: message.number,
			content: { body },
			context_id: message.wamid,
		})
	const count = async () => {
		const [row] = await product.db<{ replies: number }[]>`
			select replied_count as replies from campaigns where id = ${campaignId}
		`
		return row?.replies
	}
	await until(async () => (await count()) === 1)
	const { body } = await call(product.process.url, chats.messages, {
		params: { number: message.number },
		token: sender.token,
	})
	// Other tests may have written to the same recipient.
	const answer = body.messages.find(({ text }) => text === 'How much?')
	assert.match(answer?.replyTo?.text ?? '', /^Hello Contact \d, welcome!$/)
	assert.equal(answer?.replyTo?.campaign?._id, String(campaignId))
	assert.equal(await count(), 1)
})

test('a ban of the business account stops its sender with the reason, and a new pace or name is stored', async () => {
	const { waba_id } = sender.credentials
	const [row] = await product.db<{ number: string }[]>`
		select display_phone_number as number from senders where account_id = ${sender.accountId}
	`
	const webhook = (field: string, value: unknown) => product.simulator.control.sendWebhook({ waba_id, field, value })
	const senderIs = async () => {
		const [found] = await product.db<{ pace: number; name: string; why: string | null }[]>`
			select messages_per_second as pace, verified_name as name, stopped_reason as why
			from senders where account_id = ${sender.accountId}
		`
		return found
	}
	await webhook('phone_number_quality_update', { display_phone_number: row?.number, event: 'THROUGHPUT_UPGRADE' })
	await until(async () => (await senderIs())?.pace === 1000)
	await webhook('phone_number_name_update', {
		display_phone_number: row?.number,
		decision: 'APPROVED',
		requested_verified_name: 'New Name',
	})
	await until(async () => (await senderIs())?.name === 'New Name')
	await webhook('phone_number_name_update', {
		display_phone_number: row?.number,
		decision: 'REJECTED',
		requested_verified_name: 'Best Bank',
		rejection_reason: 'NAME_NOT_RELATED',
	})
	const soon = { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'December 1, 2026' }
	for (const ban_info of [soon, soon, { waba_ban_state: 'DISABLE' }])
		await webhook('account_update', { event: 'DISABLED_UPDATE', ban_info })
	await until(async () => /disabled this business account/.test((await senderIs())?.why ?? ''))
	const warnings = await product.db`
		select 1 from notifications where account_id = ${sender.accountId} and text like '%about to disable%(December 1, 2026)%'
	`
	assert.equal(warnings.length, 1, 'Meta may notify twice')
	const names = await product.db`
		select 1 from notifications where account_id = ${sender.accountId} and text like '%not approve%Best Bank%name not related%'
	`
	assert.equal(names.length, 1)
	assert.equal((await senderIs())?.name, 'New Name')
	const refused = await call(product.process.url, chats.send, {
		body: { number: newNumber(), message: 'Hello' },
		token: sender.token,
	})
	assert.equal(refused.status, 400)
	assert.match(refused.body.message, /^Sending has stopped: /)
})
