import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { transaction } from '#lib/server/db.ts'
import { launchTestApp } from '#test/http-app.ts'
import { receiveMessages } from '../inbound/receive.ts'
import { settleChatStatusUpdates } from '../settlement/status-updates.ts'
import { receiveEchoes } from './receive-echoes.ts'

const app = await launchTestApp()
const { db, restoreGenerations } = app.context

const SHOP = '919800000000'
const ASHA = '919811122080'
const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago)

/** Returns a value with one echo to Asha. */
function echo(id: string, type: string, content: object, { ago = 10, ...given }: Record<string, unknown> = {}) {
	const timestamp = seconds(Number(ago))
	const whole = { from: SHOP, to: ASHA, id, timestamp, type, [type]: content, ...given }
	return { metadata: { display_phone_number: SHOP, phone_number_id: '1' }, message_echoes: [whole] }
}

async function newShop() {
	const shop = await app.signIn('user')
	const take = (...values: unknown[]) => transaction(db, (sql) => receiveEchoes(sql, shop.accountId, values))
	const receive = (...values: unknown[]) => transaction(db, (sql) => receiveMessages(sql, shop.accountId, values))
	const shown = async (number = ASHA) =>
		(await app.call(chats.messages, { params: { number }, query: { limit: 50 } }, shop)).body
	const list = async () => (await app.call(chats.contacts, { query: { search: '', limit: 50 } }, shop)).body
	return { ...shop, take, receive, shown, list }
}

test('a message typed in the phone app appears as ours, without status, window, unread count, price, push or event', async () => {
	const shop = await newShop()
	const { accountId, take, shown, list } = shop
	await take(echo('wamid.E1', 'text', { body: 'Your saree is ready. STOP' }))
	await take(echo('wamid.E1', 'text', { body: 'Your saree is ready. STOP' }))
	const { messages, windowExpiresAt, contact } = await shown()
	assert.deepEqual(
		messages.map(({ from, text, isFromPhone, error }) => ({ from, text, isFromPhone, error })),
		[{ from: 'me', text: 'Your saree is ready. STOP', isFromPhone: true, error: null }],
	)
	assert.deepEqual([windowExpiresAt, contact.unread, contact.optedOut], [null, 0, false])
	const [row] = (await list()).contacts
	assert.deepEqual([row?.lastMessage, row?.lastStatus, row?.isLastFromPhone], ['Your saree is ready. STOP', null, true])
	// WhatsApp may report statuses of such messages; they change and cost nothing.
	const statuses = ['delivered', 'read'].map((status) => ({
		id: 'wamid.E1',
		status,
		timestamp: seconds(0),
		recipient_id: ASHA,
		pricing: { type: 'regular', category: 'service', billable: true },
	}))
	const updates = readStatusUpdates(statuses, restoreGenerations, new Date())
	const settled = await transaction(db, (sql) => settleChatStatusUpdates(sql, accountId, updates))
	assert.deepEqual(settled, { others: [], optedOut: [], usage: [], isMoneyDue: false })
	assert.equal((await shown()).messages[0]?.status, 'sent')
	const [counts] = await db<{ events: number; jobs: number; checks: number; outs: number }[]>`
		select (select count(*)::int from waiting_events where account_id = ${accountId}) as events,
			(select count(*)::int from jobs where owner_id = ${accountId}) as jobs,
			(select count(*)::int from reply_checks where account_id = ${accountId}) as checks,
			(select count(*)::int from opt_outs where account_id = ${accountId}) as outs
	`
	assert.deepEqual({ ...counts }, { events: 0, jobs: 0, checks: 0, outs: 0 })
})

test('edits, revocations and reactions made in the phone app change our message, and a file is fetched like a customer’s', async () => {
	const { accountId, take, receive, shown } = await newShop()
	await receive({
		messages: [{ from: ASHA, id: 'wamid.A', timestamp: seconds(60), type: 'text', text: { body: 'Ready?' } }],
	})
	await take(
		echo('wamid.E2', 'text', { body: 'Redy' }, { context: { id: 'wamid.A' } }),
		echo('wamid.E3', 'image', { id: '4711', mime_type: 'image/jpeg', caption: 'Look' }),
		echo('wamid.E4', 'text', { body: 'Wrong chat' }),
		echo('wamid.M1', 'edit', { original_message_id: 'wamid.E2', message: { type: 'text', text: { body: 'Ready!' } } }),
		echo('wamid.M2', 'revoke', { original_message_id: 'wamid.E4' }),
		echo('wamid.M3', 'reaction', { message_id: 'wamid.A', emoji: '👍' }),
	)
	const { messages, contact } = await shown()
	assert.deepEqual(
		messages.map(({ text, isEdited, isRevoked, mediaState, reactions, replyTo }) => [
			text,
			isEdited,
			isRevoked,
			mediaState,
			reactions.map(({ from, emoji }) => from + emoji).join(),
			replyTo?.text ?? null,
		]),
		[
			['Ready?', false, false, null, 'me👍', null],
			['Ready!', true, false, null, '', 'Ready?'],
			['Look', false, false, 'fetching', '', null],
			['', false, true, null, '', null],
		],
	)
	assert.deepEqual([contact.unread, contact.lastMessage], [1, 'This message was deleted'])
	const jobs = await db`select 1 from jobs where kind = 'fetch-media' and owner_id = ${accountId}`
	assert.equal(jobs.length, 1)
})

test('an echo lands in the chat of a customer who hides the number', async () => {
	const { take, receive, shown, list } = await newShop()
	const contacts = [{ user_id: 'IN.asha1', profile: { name: 'Asha' } }]
	const message = {
		from_user_id: 'IN.asha1',
		id: 'wamid.H',
		timestamp: seconds(60),
		type: 'text',
		text: { body: 'Hi' },
	}
	await receive({ contacts, messages: [message] })
	await take(echo('wamid.E5', 'text', { body: 'Hello' }, { to: undefined, to_user_id: 'IN.asha1' }))
	assert.deepEqual(
		(await shown('IN.asha1')).messages.map(({ text }) => text),
		['Hi', 'Hello'],
	)
	assert.deepEqual(
		(await list()).contacts.map(({ number, name, unread }) => [number, name, unread]),
		[['IN.asha1', 'Asha', 1]],
	)
})

test('an echo from another number, without a customer or id, or with malformed content stores nothing', async () => {
	const { accountId, take } = await newShop()
	const whole = echo('wamid.E6', 'text', { body: 'Pay here' })
	await take(
		echo('wamid.E7', 'text', { body: 'Pay here' }, { from: '919899999999' }),
		echo('wamid.E8', 'text', { body: 'Pay here' }, { to: '120363000@g.us' }),
		echo('wamid.E9', 'text', { body: 'Pay here' }, { to: undefined }),
		echo('', 'text', { body: 'Pay here' }),
		{ ...whole, message_echoes: { 0: whole.message_echoes[0] } },
		{ ...whole, message_echoes: [null, 7, 'text', []] },
		null,
		'echo',
	)
	assert.equal((await db`select 1 from chats where account_id = ${accountId}`).length, 0)
	const many = Array.from({ length: 2000 }, (_, index) => echo(`wamid.X${index}`, 'text', { body: `${index}` }))
	await take(...many)
	assert.equal((await db`select 1 from chat_messages where account_id = ${accountId}`).length, 2000)
})

test('a message that only the phone app can show has a placeholder', async () => {
	const { receive, shown } = await newShop()
	const errors = [{ code: 131060, title: 'This message is currently unavailable.' }]
	await receive({ messages: [{ from: ASHA, id: 'wamid.P', timestamp: seconds(5), type: 'unsupported', errors }] })
	const { messages, contact } = await shown()
	assert.deepEqual([messages[0]?.kind, contact.lastMessage], ['phone_only', 'Visible only in the phone app'])
})
