import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { transaction } from '#lib/server/db.ts'
import { launchTestApp } from '#test/http-app.ts'
import { upsertAppSettings } from './app-settings-queries.ts'
import { receiveAppContacts, receiveHistory } from './receive-sync.ts'

const app = await launchTestApp()
const { db } = app.context

const SHOP = '919800000000'
const [ASHA, RAVI] = ['919811122101', '919811122102'] as const
const metadata = { display_phone_number: SHOP, phone_number_id: '1' }
const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago)
const line = (from: string, id: string, ago: number, content: object = { type: 'text', text: { body: id } }) => ({
	from,
	id,
	timestamp: seconds(ago),
	...content,
})
const thread = (id: string, ...messages: object[]) => ({
	metadata,
	history: [{ metadata: {}, threads: [{ id, messages }] }],
})
const synced = (phone_number: unknown, action: string, full_name?: string, timestamp = 1) => ({
	state_sync: [
		{ type: 'contact', contact: { full_name, phone_number }, action, metadata: { timestamp: String(timestamp) } },
	],
})

async function newShop(settings = { history: true, contacts: true }) {
	const shop = await app.signIn('user')
	const { accountId } = shop
	await upsertAppSettings(db, accountId, { ...settings, at: new Date() })
	const bring = (...values: unknown[]) => transaction(db, (sql) => receiveHistory(sql, accountId, values))
	const sync = (values: unknown[], maxContacts = 1000) =>
		transaction(db, (sql) => receiveAppContacts(sql, accountId, { values, maxContacts }))
	const shown = async (number: string) =>
		(await app.call(chats.messages, { params: { number }, query: { limit: 50 } }, shop)).body
	const contacts = async () => {
		const rows = await db<{ number: string; name: string; because: string | null; consent: number | null }[]>`
			select number, first_name as name, opted_out_because as because, consent_id as consent from contacts
			where account_id = ${accountId} order by number
		`
		return rows.map(({ number, name, because, consent }) => [number, name, because, consent])
	}
	return { ...shop, bring, sync, shown, contacts }
}

test('earlier chats are stored only when the account has switched them on, once, without window, unread count or opt-out', async () => {
	const value = thread(ASHA, line(ASHA, 'STOP', 9000), line(SHOP, 'wamid.h2', 8000))
	const off = await newShop({ history: false, contacts: false })
	await off.bring(value)
	await off.sync([synced(ASHA, 'add', 'Asha')])
	assert.deepEqual([(await off.shown(ASHA)).messages, await off.contacts()], [[], []])
	const on = await newShop()
	await on.bring(value)
	await on.bring(value)
	const { messages, windowExpiresAt, contact } = await on.shown(ASHA)
	assert.deepEqual(
		messages.map(({ from, text, isFromPhone }) => [from, text, isFromPhone]),
		[
			['other', 'STOP', false],
			['me', 'wamid.h2', true],
		],
	)
	assert.deepEqual([windowExpiresAt, contact.unread, contact.optedOut], [null, 0, false])
	const [counts] = await db<{ events: number; checks: number }[]>`
		select (select count(*)::int from waiting_events where account_id = ${on.accountId}) as events,
			(select count(*)::int from reply_checks where account_id = ${on.accountId}) as checks
	`
	assert.deepEqual({ ...counts }, { events: 0, checks: 0 })
})

test('a message that arrives live after the history brought it opts out and counts as unread, once', async () => {
	const { accountId, bring, shown } = await newShop()
	const stop = line(ASHA, 'STOP', 50)
	await bring(thread(ASHA, stop))
	for (let time = 0; time < 2; time++)
		await transaction(db, (sql) => receiveMessages(sql, accountId, [{ messages: [stop] }]))
	const { messages, contact } = await shown(ASHA)
	assert.deepEqual([messages.length, contact.unread, contact.optedOut], [1, 1, true])
})

test('a file of the history replaces its placeholder, and a message that is stored already keeps its content', async () => {
	const { accountId, bring, shown } = await newShop()
	const live = line(ASHA, 'wamid.live', 50)
	await transaction(db, (sql) => receiveMessages(sql, accountId, [{ messages: [live] }]))
	await bring(
		thread(ASHA, { ...live, text: { body: 'Other' } }, line(ASHA, 'wamid.file', 40, { type: 'media_placeholder' })),
	)
	assert.deepEqual(
		(await shown(ASHA)).messages.map(({ kind, text }) => [kind, text]),
		[
			['text', 'wamid.live'],
			['phone_only', ''],
		],
	)
	const file = line(ASHA, 'wamid.file', 40, { type: 'image', image: { id: '77', mime_type: 'image/jpeg' } })
	await bring({ metadata, messages: [file] }, thread(ASHA, line(ASHA, 'wamid.file', 40, { type: 'media_placeholder' })))
	const [, image] = (await shown(ASHA)).messages
	assert.deepEqual([image?.kind, image?.mediaState, (await shown(ASHA)).contact.unread], ['image', 'fetching', 1])
})

test('contacts of the app are added without consent and get no marketing, and only unused ones are removed with the app’s', async () => {
	const { accountId, sync, contacts } = await newShop()
	await insertContacts(db, accountId, [{ firstName: 'Ravi', lastName: null, number: RAVI, groupId: null }])
	await sync([
		synced(ASHA, 'add', ' Asha  Rao '),
		synced(RAVI, 'add', 'Ravi on the phone'),
		synced('+91 98111', 'add', 'x'),
	])
	assert.deepEqual(await contacts(), [
		[ASHA, 'Asha Rao', 'phone_app', null],
		[RAVI, 'Ravi', null, null],
	])
	const value = { messages: [line(ASHA, 'wamid.start', 5, { type: 'text', text: { body: 'START' } })] }
	await transaction(db, (sql) => receiveMessages(sql, accountId, [value]))
	await sync([synced('919811122103', 'add', 'Meera')])
	await sync([synced(ASHA, 'remove'), synced(RAVI, 'remove'), synced('919811122103', 'remove', undefined, 2)])
	assert.deepEqual(await contacts(), [
		[ASHA, 'Asha Rao', null, null],
		[RAVI, 'Ravi', null, null],
	])
})

test('thousands of contacts in one webhook stay within the account’s maximum, and malformed ones store nothing', async () => {
	const { sync, contacts, bring, accountId } = await newShop()
	const state_sync = Array.from({ length: 5000 }, (_, index) => ({
		type: 'contact',
		contact: { full_name: `P${index}`, phone_number: `9198${String(index).padStart(8, '0')}` },
		action: 'add',
	}))
	await sync([{ state_sync }], 1200)
	assert.equal((await contacts()).length, 1200)
	await sync([synced('IN.hidden1', 'add', 'x'), synced({}, 'add'), synced(ASHA, 'delete'), { state_sync: {} }, null, 7])
	await bring(
		null,
		{},
		{ history: [{ threads: [{ id: ASHA, messages: [line(ASHA, 'wamid.q', 5)] }] }] },
		{ metadata, history: 'x' },
	)
	assert.equal((await contacts()).length, 1200)
	assert.equal((await db`select 1 from chats where account_id = ${accountId}`).length, 0)
})
