import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { insertUnasked } from '#features/contacts/server/contacts/queries.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { replies, type AutomaticBody, type GivenSettings } from '#features/replies/contract.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { receiveMessages } from '../inbound/receive.ts'
import { chatHandlers, findLongestWaiting } from '../service.ts'

const app = await launchTestApp()
const { db } = app.context

const PRICE: AutomaticBody = { kind: 'keyword', phrases: ['price'], text: 'It costs 80', monthlyLimit: 500 }
const AWAY: AutomaticBody = { kind: 'away', phrases: [], text: 'We are closed', monthlyLimit: 500 }
const GREETING: AutomaticBody = { kind: 'greeting', phrases: [], text: 'Welcome', monthlyLimit: 500 }
const ALWAYS_CLOSED = { week: Array.from({ length: 7 }, () => null), closedDays: [] }

const NUMBER = '919811122091'
let wamids = 0

/** Returns a message as WhatsApp delivers it, written `ago` seconds ago. */
function message(text: string, { from = NUMBER, ago = 0, id = `wamid.auto.${++wamids}` } = {}) {
	const timestamp = String(Math.floor(Date.now() / 1000) - ago)
	return { from, id, timestamp, type: 'text', text: { body: text } }
}

/** Creates an account with these automatic replies. */
async function newShop(...given: AutomaticBody[]) {
	const owner = await app.signIn('user')
	const { accountId } = owner
	for (const body of given) assert.equal((await app.call(replies.addAutomatic, { body }, owner)).status, 200)
	return {
		owner,
		receive: (...messages: object[]) => transaction(db, (sql) => receiveMessages(sql, accountId, [{ messages }])),
		async save(body: GivenSettings) {
			assert.equal((await app.call(replies.saveAutomatic, { body }, owner)).status, 200)
		},
		/** Returns the texts of the automatic replies in a chat. */
		async texts(number = NUMBER) {
			const { body } = await app.call(chats.messages, { params: { number } }, owner)
			return body.messages.filter(({ isAutomatic }) => isAutomatic).map(({ text }) => text)
		},
		/** Moves everything in the chats of the account into the past. */
		later: (seconds: number) => db`
			update chat_messages set at = (at at time zone 'UTC' - ${seconds} * interval '1 second') at time zone 'UTC'
			where account_id = ${accountId}
		`,
	}
}

/** Runs the jobs that send messages of the account. Returns the texts of the errors in its chats. */
async function errorsOf({ accountId }: TestAccount) {
	const handler = chatHandlers(app.context).find(({ kind }) => kind.name === 'send-chat-message')
	const jobs = await db<{ data: object }[]>`
		select data from jobs where owner_id = ${accountId} and kind = 'send-chat-message' order by id
	`
	for (const { data } of jobs)
		await handler?.run({
			data: { ...data, accountId },
			signal: AbortSignal.abort(),
			isMine: () => Promise.resolve(true),
		})
	const rows = await db<{ error: string }[]>`
		select error from chat_messages where account_id = ${accountId} and status = 'failed' order by id
	`
	return rows.map(({ error }) => error)
}

async function sentOf(owner: TestAccount) {
	const { body } = await app.call(replies.automatic, {}, owner)
	return body.replies.map(({ sent }) => sent)
}

test('receiveMessages writes one automatic reply for a message, however often and in whatever batch it arrives', async () => {
	const shop = await newShop(PRICE)
	const asked = message('What is the PRICE?')
	await shop.receive(asked, asked)
	await shop.receive(asked)
	await shop.receive(message('Hello'), asked)
	assert.deepEqual([await shop.texts(), await sentOf(shop.owner)], [['It costs 80'], [1]])
	const jobs = await db`select from jobs where owner_id = ${shop.owner.accountId} and kind = 'send-chat-message'`
	assert.equal(jobs.length, 1)
})

test('receiveMessages writes no automatic reply to STOP, to people who opted out, to old messages, and while switched off', async () => {
	const shop = await newShop({ ...PRICE, phrases: ['stop', 'price', 'start'] }, GREETING)
	const [stopped, erased, late, off] = ['919811122092', '919811122093', '919811122094', '919811122095']
	await shop.receive(message('STOP', { from: stopped }))
	await shop.receive(message('price', { from: stopped }))
	await shop.receive(message('START', { from: stopped }))
	await app.call(contacts.setOptOuts, { body: { numbers: [erased], optedOut: true } }, shop.owner)
	await shop.receive(message('price', { from: erased }))
	await shop.receive(message('price', { from: late, ago: 301 }))
	await shop.save({ isOn: false })
	await shop.receive(message('price', { from: off }))
	for (const number of [stopped, erased, late, off]) assert.deepEqual(await shop.texts(number), [], number)
	await shop.save({ isOn: true })
	await shop.receive(message('price', { from: off }))
	assert.deepEqual(await shop.texts(off), ['It costs 80'])
})

test('receiveMessages answers people whom only the address book of the phone app has opted out', async () => {
	const shop = await newShop(PRICE)
	const { accountId } = shop.owner
	const texts: Record<string, string[]> = {}
	for (const because of ['phone_app', 'reply', 'preference', 'network', 'manual'] as const) {
		const number = `9198111220${60 + Object.keys(texts).length}`
		if (because === 'phone_app') await insertUnasked(db, accountId, [number])
		else await setOptOuts(db, accountId, { numbers: [number], optedOut: true, because })
		await shop.receive(message('price', { from: number }))
		texts[because] = await shop.texts(number)
	}
	assert.deepEqual(texts, { phone_app: ['It costs 80'], reply: [], preference: [], network: [], manual: [] })
})

test('receiveMessages answers the messages of a batch in their order, and a repeated keyword once', async () => {
	const shop = await newShop({ ...PRICE, phrases: ['delivery'], text: 'In two days' }, PRICE, GREETING)
	await shop.receive(message('Hello'), message('What is the price?'), message('And delivery?'), message('Delivery?'))
	assert.deepEqual(await shop.texts(), ['Welcome', 'It costs 80', 'In two days'])
})

test('receiveMessages writes no automatic reply to messages whose content is missing', async () => {
	const shop = await newShop(AWAY)
	await shop.save({ hours: ALWAYS_CLOSED })
	await shop.receive({ ...message('Hello'), type: 'hologram' }, { ...message('Hello'), type: 'media_placeholder' })
	assert.deepEqual(await shop.texts(), [])
})

test('saving one of the settings keeps the other', async () => {
	const shop = await newShop()
	const settings = async () => (await app.call(replies.automatic, {}, shop.owner)).body.settings
	await shop.save({ hours: ALWAYS_CLOSED })
	assert.deepEqual(await settings(), { isOn: true, hours: ALWAYS_CLOSED })
	await shop.save({ isOn: false })
	assert.deepEqual(await settings(), { isOn: false, hours: ALWAYS_CLOSED })
	await shop.save({ hours: null })
	assert.deepEqual(await settings(), { isOn: false, hours: null })
})

test('receiveMessages greets a person once, and not a person who wrote before', async () => {
	const shop = await newShop(GREETING)
	await shop.receive(message('Hello'), message('Is anybody there?'))
	await shop.later(60)
	await shop.receive(message('Hello again'))
	assert.deepEqual(await shop.texts(), ['Welcome'])
	const known = '919811122096'
	await shop.receive(message('An old message', { from: known, ago: 3600 }))
	await shop.receive(message('Hello', { from: known }))
	assert.deepEqual(await shop.texts(known), [])
})

test('receiveMessages writes the away message once per closing, and never without business hours', async () => {
	const shop = await newShop(AWAY)
	await shop.receive(message('Hello'))
	assert.deepEqual(await shop.texts(), [])
	await shop.save({ hours: ALWAYS_CLOSED })
	await shop.receive(message('Are you open?'))
	await shop.later(3600)
	await shop.receive(message('Hello?'))
	assert.deepEqual(await shop.texts(), ['We are closed'])
})

test('receiveMessages stays within the monthly limit when messages arrive at once, and counts each month anew', async () => {
	const shop = await newShop({ ...PRICE, monthlyLimit: 3 })
	const people = Array.from({ length: 10 }, (_, index) => `9198200000${index}0`)
	await Promise.all(people.map((from) => shop.receive(message('price', { from }))))
	const texts = await Promise.all(people.map((number) => shop.texts(number)))
	assert.deepEqual([texts.flat().length, await sentOf(shop.owner)], [3, [3]])
	await db`update automatic_replies set month = '2020-01' where account_id = ${shop.owner.accountId}`
	assert.deepEqual(await sentOf(shop.owner), [0])
	await shop.receive(message('price', { from: '919820000999' }))
	assert.deepEqual(await sentOf(shop.owner), [1])
})

test('receiveMessages stays within the monthly limit in one batch, whose first messages are answered', async () => {
	const shop = await newShop({ ...PRICE, monthlyLimit: 3 })
	const people = Array.from({ length: 10 }, (_, index) => `9198200001${9 - index}0`)
	await shop.receive(...people.map((from, index) => message('price', { from, ago: 20 - index })))
	const counts = await Promise.all(people.map(async (number) => (await shop.texts(number)).length))
	assert.deepEqual([counts, await sentOf(shop.owner)], [[1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [3]])
})

test('an automatic reply is not sent by a late job, after an opt-out or after the switch was turned off', async () => {
	const [late, off] = [await newShop(PRICE), await newShop(PRICE)]
	await late.receive(message('price'))
	await late.later(301)
	await late.receive(message('price', { from: '919811122098' }))
	await setOptOuts(db, late.owner.accountId, { numbers: ['919811122098'], optedOut: true, because: 'manual' })
	await off.receive(message('price'))
	await off.save({ isOn: false })
	assert.deepEqual(await errorsOf(late.owner), [
		'It was too late for an automatic reply',
		'Opted out before it was sent',
	])
	assert.deepEqual(await errorsOf(off.owner), ['Automatic replies were switched off'])
	assert.deepEqual([await sentOf(late.owner), await sentOf(off.owner)], [[0], [0]])
})

test('an automatic reply that was never sent does not count', async () => {
	const shop = await newShop(PRICE, GREETING)
	await shop.receive(message('Hello'))
	await shop.receive(message('price', { from: '919811122099' }))
	// Without credentials, nothing is sent.
	assert.equal((await errorsOf(shop.owner)).length, 2)
	assert.deepEqual(await sentOf(shop.owner), [0, 0])
	await shop.receive(message('Hello'))
	await shop.receive(message('price', { from: '919811122099' }))
	assert.deepEqual(await shop.texts(), ['Welcome', 'Welcome'])
	assert.deepEqual(await shop.texts('919811122099'), ['It costs 80', 'It costs 80'])
	await shop.receive(message('Hello'))
	assert.deepEqual(
		[await shop.texts(), await sentOf(shop.owner)],
		[
			['Welcome', 'Welcome'],
			[1, 1],
		],
	)
})

test('two products that answer each other fall silent', async () => {
	const first = await newShop({ ...PRICE, text: 'The price is 80. Your offer?' }, GREETING)
	const second = await newShop({ ...PRICE, phrases: ['offer'], text: 'We offer 60. Your price?' }, GREETING)
	const [toFirst, toSecond] = ['919811100001', '919811100002']
	await first.receive(message('Your price?', { from: toFirst }))
	for (let round = 0; round < 8; round++) {
		for (const shop of [first, second]) await shop.later(3700)
		const ofFirst = (await first.texts(toFirst)).at(-1) ?? ''
		await second.receive(message(ofFirst, { from: toSecond }))
		const ofSecond = (await second.texts(toSecond)).at(-1) ?? ''
		await first.receive(message(ofSecond, { from: toFirst }))
	}
	assert.deepEqual([(await first.texts(toFirst)).length, (await second.texts(toSecond)).length], [3, 3])
})

test('a customer who got only an automatic reply or the confirmation of an opt-out still waits for an answer', async () => {
	const shop = await newShop(PRICE)
	const body = { confirms: true, optOutText: 'No more offers', optInText: 'Offers again' }
	assert.equal((await app.call(chats.saveSettings, { body }, shop.owner)).status, 200)
	for (const [number, text] of [
		[NUMBER, 'price'],
		['919811122100', 'STOP'],
	] as const) {
		await shop.receive(message(text, { from: number }))
		await app.call(chats.markRead, { body: { number } }, shop.owner)
		assert.equal((await shop.texts(number)).length, 1)
	}
	const { count } = await findLongestWaiting(db, shop.owner.accountId)
	assert.equal(count, 2)
})

test('an automatic reply that a worker has claimed before a crash is not sent by another run of its job', async () => {
	const shop = await newShop(PRICE)
	const { accountId } = shop.owner
	const statuses = async () => {
		const rows = await db<{ status: string }[]>`
			select status from chat_messages where account_id = ${accountId} and direction = 'out' order by id
		`
		return rows.map(({ status }) => status)
	}
	await shop.receive(message('price'))
	await db`update chat_messages set claimed_at = now() where account_id = ${accountId} and direction = 'out'`
	await shop.receive(message('price', { from: '919811122097' }))
	await app.runJobs(chatHandlers(app.context))
	// Without credentials, the message that was not claimed fails at once.
	await until(async () => (await statuses()).includes('failed'))
	await until(async () => (await db`select from jobs where owner_id = ${accountId}`).length === 0)
	assert.deepEqual(await statuses(), ['pending', 'failed'])
})
