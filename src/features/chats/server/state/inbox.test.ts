import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { ensureTags } from '#features/contacts/server/fields/fields.ts'
import { customers } from '#features/customers/contract.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { inbox } from '#features/inbox/contract.ts'
import type { ChatView } from '#features/inbox/rules.ts'
import { colleagues } from '#features/users/colleague-contract.ts'
import { transaction } from '#lib/server/db.ts'
import { account, campaignRow, colleague, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { receiveMessages } from '../inbound/receive.ts'
import { listWaitingChats } from '../service.ts'

const app = await launchTestApp()
const { db } = app.context

/** Returns the owner of a new account, a manager and an agent of it. */
async function team() {
	const owner = await account(app.context)
	return {
		owner,
		manager: await colleague(app.context, owner, 'manager'),
		agent: await colleague(app.context, owner, 'agent'),
	}
}

let sent = 0

/** Receives a message of a customer, by default a new one. Returns the number. */
async function receive({ accountId }: TestAccount, from = `9198100${String(++sent).padStart(5, '0')}`, id = ++sent) {
	const timestamp = String(Math.floor(Date.now() / 1000))
	const message = { from, id: `wamid.${id}`, timestamp, type: 'text', text: { body: 'Hello' } }
	const value = { contacts: [{ wa_id: from, profile: { name: 'Asha' } }], messages: [message] }
	await transaction(db, (sql) => receiveMessages(sql, accountId, [value]))
	return from
}

const assign = (as: TestAccount, body: { number: string; to: string | null; from: string | null; note?: string }) =>
	app.call(inbox.assign, { body }, as)
const take = (as: TestAccount, number: string) => assign(as, { number, to: as.userId, from: null })
const setClosed = (as: TestAccount, number: string, isClosed = true) =>
	app.call(inbox.setClosed, { body: { number, isClosed } }, as)
const read = (as: TestAccount, number: string) => app.call(chats.markRead, { body: { number } }, as)

async function list(as: TestAccount, query: { view?: ChatView; tag?: string; campaign?: string } = {}) {
	const { body } = await app.call(chats.contacts, { query: { search: '', limit: 50, ...query } }, as)
	return { counts: body.counts, numbers: body.contacts.map(({ number }) => number) }
}

async function stateOf(as: TestAccount, number: string) {
	const { body } = await app.call(chats.messages, { params: { number }, query: { limit: 20 } }, as)
	return [body.contact.assignee?.name ?? null, body.contact.isClosed]
}

test('of two people who take a chat at once one gets it, and the other learns who has it', async () => {
	const { owner, agent } = await team()
	for (let round = 0; round < 5; round++) {
		const number = await receive(owner)
		const both = [owner, agent]
		const answers = await Promise.all(both.map((one) => take(one, number)))
		const [first, second] = answers[0]?.status === 200 ? both : both.toReversed()
		const refused = answers.find(({ status }) => status === 409)
		assert.equal(refused?.body.message, `${first?.name} has this chat now`)
		assert.deepEqual(await stateOf(second ?? owner, number), [first?.name, false])
		assert.equal((await take(first ?? owner, number)).status, 200, 'a repeated call changes nothing')
	}
})

async function notesOf(person: TestAccount, number: string) {
	const { body } = await app.call(chats.messages, { params: { number }, query: { limit: 20 } }, person)
	return body.notes.map(({ text, author }) => [text, author])
}

test('a chat is handed over with a note, released, and never given to a person of another account', async () => {
	const { owner, manager, agent } = await team()
	const stranger = await account(app.context)
	const number = await receive(owner)
	await take(agent, number)
	const handOver = { number, from: agent.userId, to: manager.userId, note: 'Wants the blue one' }
	for (let repeat = 0; repeat < 2; repeat++) assert.equal((await assign(agent, handOver)).status, 200)
	assert.deepEqual(await stateOf(agent, number), [manager.name, false])
	assert.deepEqual(await notesOf(manager, number), [['Wants the blue one', agent.name]])
	const late = { ...handOver, note: 'And the red one' }
	assert.equal((await assign(agent, late)).status, 200, 'the note arrives although the manager has the chat already')
	assert.equal((await notesOf(manager, number)).length, 2)
	assert.equal((await assign(owner, { ...handOver, to: owner.userId })).status, 409)
	assert.equal((await assign(manager, { number, from: manager.userId, to: stranger.userId })).status, 404)
	assert.equal((await take(stranger, number)).status, 404)
	assert.equal((await assign(manager, { number, from: manager.userId, to: null })).status, 200)
	assert.deepEqual(await stateOf(agent, number), [null, false])
})

/** Returns status and author of the last message of each chat, as the person sees them. */
async function lastSentFor(person: TestAccount) {
	const { body } = await app.call(chats.contacts, { query: { search: '', limit: 50 } }, person)
	return body.contacts.map(({ lastStatus, lastAuthor }) => [lastStatus, lastAuthor])
}

test('the list names the colleague who sent the last message by the first name, and shows none to the colleague', async () => {
	const { owner, agent } = await team()
	const number = await receive(owner)
	await db`update users set name = 'Priya Nair' where id = ${agent.userId}`
	await db`
		insert into chat_messages (account_id, chat, direction, kind, body, status, at, author_id)
		values (${owner.accountId}, ${number}, 'out', 'text', '{"text":"Yes"}', 'sent', now() + interval '1 second', ${agent.userId})
	`
	assert.deepEqual(await lastSentFor(owner), [['sent', 'Priya']])
	assert.deepEqual(await lastSentFor(agent), [['sent', null]])
})

test('the next message of its customer opens a closed chat, a repeated one does not, and a chat with unread messages is not closed', async () => {
	const { owner, agent } = await team()
	const number = await receive(owner, undefined, 900_001)
	assert.equal((await setClosed(agent, number)).status, 409)
	await take(agent, number)
	await read(agent, number)
	for (let repeat = 0; repeat < 2; repeat++) assert.equal((await setClosed(agent, number)).status, 200)
	assert.deepEqual(await stateOf(agent, number), [agent.name, true])
	await receive(owner, number, 900_001)
	assert.deepEqual(await stateOf(agent, number), [agent.name, true])
	await receive(owner, number)
	assert.deepEqual(await stateOf(agent, number), [agent.name, false])
	await read(agent, number)
	await setClosed(agent, number)
	assert.equal((await setClosed(owner, number, false)).status, 200)
	assert.deepEqual(await stateOf(agent, number), [agent.name, false])
	assert.equal((await setClosed(agent, '919899999999')).status, 404)
})

test('the views show and count the chats of their state, and an account of one person has no counts', async () => {
	const { owner, agent } = await team()
	const [mine, theirs, nobodys, closed] = [
		await receive(owner),
		await receive(owner),
		await receive(owner),
		await receive(owner),
	]
	await take(agent, mine)
	await take(owner, theirs)
	await read(agent, closed)
	await setClosed(agent, closed)
	const all = await list(agent)
	assert.deepEqual(all.counts, { all: 4, mine: 1, unassigned: 1, closed: 1 })
	assert.deepEqual(all.numbers.toSorted(), [mine, theirs, nobodys, closed].toSorted())
	assert.deepEqual((await list(agent, { view: 'mine' })).numbers, [mine])
	assert.deepEqual((await list(agent, { view: 'unassigned' })).numbers, [nobodys])
	assert.deepEqual((await list(agent, { view: 'closed' })).numbers, [closed])
	assert.equal((await listWaitingChats(db, owner.accountId, 5)).count, 3)
	const alone = await account(app.context)
	const only = await receive(alone)
	const shown = await list(alone, { view: 'unassigned' })
	assert.deepEqual([shown.counts, shown.numbers], [null, [only]])
	assert.deepEqual((await list(alone, { view: 'closed' })).numbers, [only], 'a person alone has no views')
})

test('the list is filtered by the tag of the contact and by a campaign that was sent to the customer', async () => {
	const { owner, agent } = await team()
	const { accountId } = owner
	const [tagged, sentTo, other, left] = [
		await receive(owner),
		await receive(owner),
		await receive(owner),
		await receive(owner),
	]
	const tag = String((await ensureTags(db, accountId, { names: ['VIP'] })).get('vip'))
	await insertContacts(db, accountId, [{ firstName: 'Asha', lastName: null, number: tagged, groupId: null }])
	await db`
		insert into contact_values (account_id, contact_id, tags)
		select account_id, id, array[${tag}::bigint] from contacts where account_id = ${accountId}
	`
	const campaign = String(await campaignRow(db, accountId))
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, sent_at, error_code)
		values
			(${accountId}, ${campaign}, 1, ${sentTo}, 'read', now(), null),
			(${accountId}, ${campaign}, 2, ${other}, 'pending', null, null),
			(${accountId}, ${campaign}, 3, ${left}, 'failed', null, ${OWN_ERRORS.optedOut.code})
	`
	assert.deepEqual((await list(agent, { tag })).numbers, [tagged])
	assert.deepEqual((await list(agent, { campaign })).numbers, [sentTo])
	assert.deepEqual((await list(agent, { tag, campaign })).numbers, [])
	const people = (await app.call(inbox.people, {}, agent)).body.people
	assert.equal(people[0]?.name, owner.name)
	assert.equal(people.length, 3)
})

test('the filter by campaign finds the customer whose number the campaign was sent to, and not the next owner of the number', async () => {
	const { owner, agent } = await team()
	const { accountId } = owner
	const [moved, nextOwner] = [await receive(owner), await receive(owner)]
	const campaign = String(await campaignRow(db, accountId))
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number, status, sent_at)
		values (${accountId}, ${campaign}, 1, ${nextOwner}, 'read', now() - interval '1 day')
	`
	await db`insert into former_ids (account_id, id, now_id, changed_at) values (${accountId}, ${nextOwner}, ${moved}, now())`
	assert.deepEqual((await list(agent, { campaign })).numbers, [moved])
})

test('the filter offers the campaigns whose sending began last, and no messages of programs', async () => {
	const { owner, agent } = await team()
	const { accountId } = owner
	for (const [name, kind, daysAgo] of [
		['Diwali', 'campaign', 1],
		['Holi', 'campaign', 3],
		['API · Order', 'api', 0],
		['Template', 'chat', 0],
	] as const) {
		const id = await campaignRow(db, accountId, { name, kind })
		await db`
			update campaigns set started_at = now() - ${daysAgo} * interval '1 day', updated_at = now()
			where account_id = ${accountId} and id = ${id}
		`
	}
	await campaignRow(db, accountId, { name: 'Never sent' })
	const { campaigns } = (await app.call(inbox.campaigns, {}, agent)).body
	assert.deepEqual(
		campaigns.map(({ name }) => name),
		['Diwali', 'Holi'],
	)
})

test('Home shows open chats and the median time until a first answer, without automatic replies', async () => {
	const { owner } = await team()
	const number = await receive(owner)
	const { accountId } = owner
	const say = (direction: 'in' | 'out', second: number, requestId: string | null = null) => db`
		insert into chat_messages (account_id, chat, direction, kind, status, at, request_id)
		values (${accountId}, ${number}, ${direction}, 'text', 'sent', now() - interval '1 hour' + ${second} * interval '1 second', ${requestId})
	`
	await say('in', 0)
	await say('out', 1, 'auto:wamid.1')
	await say('in', 30)
	await say('out', 60)
	await say('out', 70)
	await say('in', 100)
	await say('out', 280)
	const { inbox: figures } = (await app.call(dashboards.user, {}, owner)).body
	assert.deepEqual(figures, { openChats: 1, firstAnswerSeconds: 120 })
	assert.equal((await app.call(dashboards.user, {}, await account(app.context))).body.inbox, null)
})

test('the chats of a removed colleague are unassigned, also when one is assigned during the removal', async () => {
	const { owner, agent } = await team()
	const numbers = [await receive(owner), await receive(owner), await receive(owner)]
	const [first = '', ...others] = numbers
	await take(agent, first)
	await read(agent, first)
	await setClosed(agent, first)
	await Promise.all([
		app.call(colleagues.remove, { params: { id: agent.userId } }, owner),
		...others.map((number) => assign(owner, { number, to: agent.userId, from: null })),
	])
	for (const number of numbers) assert.equal((await stateOf(owner, number))[0], null)
	const { status, body } = await assign(owner, { number: first, to: agent.userId, from: null })
	assert.deepEqual([status, body.message], [404, 'This person no longer works here. Choose somebody else.'])
})

test('the note of a colleague keeps its author after the removal', async () => {
	const { owner, agent } = await team()
	const number = await receive(owner)
	await app.call(customers.addNote, { params: { number }, body: { text: 'Call after six' } }, agent)
	await app.call(colleagues.remove, { params: { id: agent.userId } }, owner)
	const { notes } = (await app.call(customers.get, { params: { number } }, owner)).body
	assert.deepEqual([notes[0]?.text, notes[0]?.author], ['Call after six', agent.name])
})
