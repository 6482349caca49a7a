import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { launchTestApp } from '#test/http-app.ts'
import { settleChatStatusUpdates } from '../settlement/status-updates.ts'
import { receiveMessages } from './receive.ts'

/** Number of runs of the property test. `CHAT_RUNS` sets another one. */
const RUNS = Number(process.env.CHAT_RUNS ?? 12)
const MESSAGES = 30

const app = await launchTestApp()

const EPOCH_SECONDS = 1_790_000_000
const NUMBERS = ['919810000001', '919810000002', 'IN.hidden1']

/** An update as WhatsApp sends it: a customer's message, or a status update of one of our messages. */
type Update = { kind: 'messages'; value: unknown } | { kind: 'statuses'; value: unknown }

function inbound(index: number, type: string, content: object): Update {
	const from = NUMBERS[index % NUMBERS.length] ?? ''
	const sender = from.includes('.') ? { from_user_id: from } : { from }
	const timestamp = String(EPOCH_SECONDS + index)
	const message = { ...sender, id: `wamid.${index}`, timestamp, type, [type]: content }
	const contact = { profile: { name: `Name ${index}` }, [from.includes('.') ? 'user_id' : 'wa_id']: from }
	return { kind: 'messages', value: { contacts: [contact], messages: [message] } }
}

/** Returns the wamid of an earlier message of the same customer. */
const earlier = (index: number) => `wamid.${Math.max(index % NUMBERS.length, index - NUMBERS.length * 2)}`

const KINDS: ((index: number) => Update)[] = [
	(index) => inbound(index, 'text', { body: `Text ${index}` }),
	(index) => inbound(index, 'image', { id: `media${index}`, mime_type: 'image/jpeg' }),
	(index) => inbound(index, 'reaction', { message_id: earlier(index), emoji: index % 2 ? '👍' : '❤️' }),
	(index) => inbound(index, 'reaction', { message_id: earlier(index) }),
	(index) =>
		inbound(index, 'edit', {
			original_message_id: earlier(index),
			message: { type: 'text', text: { body: `New ${index}` } },
		}),
	(index) => inbound(index, 'revoke', { original_message_id: earlier(index) }),
	(index) => inbound(index, 'text', { body: index % 2 ? 'STOP' : 'START' }),
]

function status(id: number, index: number): Update {
	const word = ['sent', 'delivered', 'read', 'failed'][index % 4]
	const errors = word === 'failed' ? { errors: [{ code: 131026, title: 'Undeliverable' }] } : {}
	const timestamp = String(EPOCH_SECONDS + index)
	const callback = { biz_opaque_callback_data: `chat:${id}` }
	return { kind: 'statuses', value: { id: `wamid.out${id}`, status: word, timestamp, ...callback, ...errors } }
}

async function newAccountId(): Promise<{ accountId: AccountId; sent: number[] }> {
	const { accountId } = await app.signIn('user')
	const rows = await app.context.db<{ id: number }[]>`
		insert into chat_messages (account_id, chat, direction, kind, status, at)
		select ${accountId}, ${NUMBERS[0]}, 'out', 'text', 'pending', '2020-01-01' from generate_series(1, 3)
		returning id
	`
	return { accountId, sent: rows.map(({ id }) => id) }
}

async function deliver(accountId: AccountId, updates: Update[]): Promise<void> {
	const of = (kind: Update['kind']) => updates.filter((update) => update.kind === kind).map(({ value }) => value)
	await transaction(app.context.db, async (sql) => {
		await receiveMessages(sql, accountId, of('messages'))
		await settleChatStatusUpdates(sql, accountId, readStatusUpdates(of('statuses')))
	})
}

/** Returns the state of an account's chats, without ids that differ in each run. */
async function stateOf(accountId: AccountId) {
	const { db } = app.context
	const [chats, messages, marks, optOuts] = await Promise.all([
		db`
			select key, profile_name, last_line, last_at, unread, window_expires_at, inbound_wamid from chats
			where account_id = ${accountId} order by key
		`,
		db`
			select chat, kind, body, case when direction = 'in' then wamid end as wamid, status, at, media_id
			from chat_messages where account_id = ${accountId}
			order by direction, case when direction = 'in' then wamid end collate "C", id
		`,
		db`select target_wamid, kind, value, at from chat_marks where account_id = ${accountId} order by 1, 2`,
		db`select number, is_opted_out from opt_outs where account_id = ${accountId} order by 1`,
	])
	return { chats: [...chats], messages: [...messages], marks: [...marks], optOuts: [...optOuts] }
}

const plan = fc.record({
	kinds: fc.array(fc.nat(KINDS.length - 1), { minLength: 5, maxLength: MESSAGES }),
	statuses: fc.array(fc.record({ message: fc.nat(2), index: fc.nat(30) }), { maxLength: 10 }),
	/** Position of each update in the shuffled order. Updates above 0.7 are delivered twice. */
	places: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: MESSAGES + 10, maxLength: MESSAGES + 10 }),
	batchSize: fc.integer({ min: 1, max: 12 }),
})

test('receiveMessages and settleChatStatusUpdates reach the same state for updates in any order, batches and repetition', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async ({ kinds, statuses, places, batchSize }) => {
			const [clean, messy] = [await newAccountId(), await newAccountId()]
			const updatesFor = (sent: number[]) => [
				...kinds.map((kind, index) => KINDS[kind]?.(index)),
				...statuses.map(({ message, index }) => status(sent[message] ?? 0, index)),
			]
			const inOrder = updatesFor(clean.sent).filter((update) => update !== undefined)
			for (const update of inOrder) await deliver(clean.accountId, [update])
			const placed = updatesFor(messy.sent)
				.filter((update) => update !== undefined)
				.flatMap((update, index) => {
					const place = places[index] ?? 0
					return [{ update, place }, ...(place > 0.7 ? [{ update, place: 1 - place }] : [])]
				})
				.toSorted((a, b) => a.place - b.place)
				.map(({ update }) => update)
			for (let from = 0; from < placed.length; from += batchSize)
				await deliver(messy.accountId, placed.slice(from, from + batchSize))
			assert.deepEqual(await stateOf(messy.accountId), await stateOf(clean.accountId))
		}),
		{ numRuns: RUNS },
	)
})

const receive = async (accountId: AccountId, ...values: unknown[]) =>
	deliver(
		accountId,
		values.map((value) => ({ kind: 'messages', value })),
	)

test('receiveMessages stores hostile text as plain text, cut to the limit, in its own chat', async () => {
	const { accountId } = await newAccountId()
	const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown
	const from = '919820000001'
	const evil = (id: string, message: object, name = '<script>alert(1)</script>\u202Egnp\u0000') => ({
		contacts: [{ profile: { name }, wa_id: from }],
		messages: [{ from, id: `wamid.evil.${id}`, timestamp: '99999999999', ...message }],
	})
	await receive(accountId, {
		contacts: [],
		messages: [
			{
				from: '919820000002',
				id: 'wamid.victim',
				timestamp: String(EPOCH_SECONDS),
				type: 'text',
				text: { body: 'Mine' },
			},
		],
	})
	await receive(
		accountId,
		evil('html', { type: 'text', text: { body: '<img src=x onerror=alert(1)>\u0000\ud800' } }),
		evil('emoji', { type: 'text', text: { body: '👩‍👩‍👧‍👦'.repeat(4096) } }),
		evil('deep', { type: 'hologram', hologram: deep }),
		evil('path', {
			type: 'document',
			document: { id: '1', filename: '../../../../etc/passwd\u202Efdp.exe', mime_type: 'x'.repeat(999) },
		}),
		evil('place', { type: 'location', location: { latitude: 'NaN', longitude: 1e300 } }),
		evil('cards', { type: 'contacts', contacts: Array.from({ length: 500 }, () => ({ name: 7, phones: 'x' })) }),
		evil('edit', {
			type: 'edit',
			edit: { original_message_id: 'wamid.victim', message: { type: 'text', text: { body: 'Theirs' } } },
		}),
		evil('revoke', { type: 'revoke', revoke: { original_message_id: 'wamid.victim' } }),
		evil('proto', { type: '__proto__', __proto__: { polluted: true } }),
		{ messages: [null, 1, [], {}, { from: { toString: 1 }, id: 2 }, { from: "1'; drop table chats; --", id: 'x' }] },
		null,
		'text',
	)
	const { chats, messages } = await stateOf(accountId)
	const [own, victim] = [from, '919820000002'].map((key) => chats.find((chat) => chat.key === key))
	assert.equal(own?.profile_name, '<script>alert(1)</script> gnp')
	assert.equal(victim?.last_line, 'Mine')
	assert.equal(chats.length, 2)
	const names = await app.context.db<{ name: string }[]>`
		select media_name as name from chat_messages where account_id = ${accountId} and kind = 'document'
	`
	assert.deepEqual(
		names.map(({ name }) => name),
		['passwdfdp.exe'],
	)
	assert.ok(messages.every((message) => (message.at as Date).getTime() <= Date.now()))
	assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

/** Returns a text as WhatsApp delivers it, written `secondsAgo`. */
function textFrom(from: string, text: string, secondsAgo: number) {
	const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo)
	return { messages: [{ from, id: `wamid.${from}.${secondsAgo}`, timestamp, type: 'text', text: { body: text } }] }
}

for (const [country, dialled, waId] of [
	['Brazilian', '5511987654321', '551187654321'],
	['Mexican', '525512345678', '5215512345678'],
	['Argentine', '5491123456789', '541123456789'],
] as const)
	test(`receiveMessages opts out the contact of a ${country} number in either form, without an earlier message, in one chat`, async () => {
		const { accountId } = await newAccountId()
		const { db } = app.context
		const take = (from: string, text: string, secondsAgo: number) =>
			transaction(db, (sql) => receiveMessages(sql, accountId, [textFrom(from, text, secondsAgo)]))
		await insertContacts(db, accountId, [{ firstName: 'Ana', lastName: null, number: dialled, groupId: null }])
		const isOptedOut = async () => {
			const [contact] = await db<{ at: Date | null }[]>`
				select opted_out_at as at from contacts where account_id = ${accountId} and number = ${dialled}
			`
			return (contact?.at ?? null) !== null
		}
		await take(waId, 'STOP', 30)
		assert.equal(await isOptedOut(), true)
		await take(dialled, 'START', 20)
		assert.equal(await isOptedOut(), false)
		const keys = await db<{ key: string }[]>`select key from chats where account_id = ${accountId}`
		assert.deepEqual(
			keys.map(({ key }) => key),
			[dialled],
		)
	})

test('receiveMessages gives a contact the new number of a customer, with the opt-out, once', async () => {
	const { accountId } = await newAccountId()
	const { db } = app.context
	const [before, after] = ['919811122071', '919811122072']
	await insertContacts(db, accountId, [{ firstName: 'Asha', lastName: null, number: before, groupId: null }])
	const take = (value: object) => transaction(db, (sql) => receiveMessages(sql, accountId, [value]))
	await take(textFrom(before, 'STOP', 60))
	const system = { type: 'user_changed_number', wa_id: after, body: 'Asha changed her number' }
	const timestamp = String(Math.floor(Date.now() / 1000) - 50)
	const change = { messages: [{ from: before, id: 'wamid.changed', timestamp, type: 'system', system }] }
	await take(change)
	const contacts = () => db<{ number: string; at: Date | null }[]>`
		select number, opted_out_at as at from contacts where account_id = ${accountId}
	`
	const [contact, ...others] = await contacts()
	assert.deepEqual([contact?.number, contact?.at !== null, others.length], [after, true, 0])
	// The old number belongs to another person now.
	await insertContacts(db, accountId, [{ firstName: 'Ravi', lastName: null, number: before, groupId: null }])
	await take(change)
	assert.deepEqual((await contacts()).map(({ number }) => number).toSorted(), [before, after])
})
