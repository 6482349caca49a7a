import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { privacy } from '#features/privacy/contract.ts'
import { DAY_MS } from '#lib/durations.ts'
import { campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { customers, MAX_NOTE_LENGTH, MAX_NOTES } from '../contract.ts'
import { deleteOld, moveNotes } from './service.ts'

const app = await launchTestApp()
const person = await app.signIn('user')

const NUMBER = '919800000101'
const get = async (number: string, as = person) => (await app.call(customers.get, { params: { number } }, as)).body
const add = (number: string, text: string, as = person) =>
	app.call(customers.addNote, { params: { number }, body: { text } }, as)
const textsOf = async (number: string, as = person) => (await get(number, as)).notes.map(({ text }) => text)

test('a customer who is a contact has the contact, the latest five campaigns with clicks and replies, and no test', async () => {
	const { db } = app.context
	await insertContacts(db, person.accountId, [{ firstName: 'Asha', lastName: 'Rao', number: NUMBER, groupId: null }])
	const ids: number[] = []
	for (let at = 0; at < 7; at++) {
		const id = await campaignRow(db, person.accountId)
		ids.push(id)
		await db`
			insert into campaign_messages (account_id, campaign_id, seq, number, status, sent_at)
			values (${person.accountId}, ${id}, 1, ${NUMBER}, 'read', now()), (${person.accountId}, ${id}, 2, '919800000999', 'failed', now())
		`
	}
	const [last = 0, clicked = 0] = ids.toReversed()
	await db`update campaigns set kind = 'test' where account_id = ${person.accountId} and id = ${last}`
	await db`
		insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
		values (${person.accountId}, ${clicked}, 1, 'a', 0, true, now()), (${person.accountId}, ${clicked}, 1, 'b', 0, false, now())
	`
	const { contact, campaigns, notes } = await get(NUMBER)
	assert.equal(contact?.firstName, 'Asha')
	assert.deepEqual(
		campaigns.map(({ _id, status, clicks }) => [_id, status, clicks]),
		ids
			.toReversed()
			.slice(1, 6)
			.map((id) => [String(id), 'read', id === clicked ? 2 : 0]),
	)
	assert.deepEqual(notes, [])
})

test('customers.get returns no contact, campaigns and notes for an unknown number', async () => {
	assert.deepEqual(await get('919800000777'), { contact: null, campaigns: [], notes: [] })
})

test('notes are listed newest first, kept per account, and deleted one by one', async () => {
	const other = await app.signIn('user')
	await add(NUMBER, 'Prefers silk')
	const { body } = await add(NUMBER, '  Call after six  ')
	assert.deepEqual(await textsOf(NUMBER), ['Call after six', 'Prefers silk'])
	assert.deepEqual(await textsOf(NUMBER, other), [])
	const { _id: id } = body.note
	assert.equal((await app.call(customers.removeNote, { params: { id } }, other)).status, 404)
	assert.equal((await app.call(customers.removeNote, { params: { id } }, person)).status, 200)
	assert.deepEqual(await textsOf(NUMBER), ['Prefers silk'])
})

test('addNote refuses an empty note, a note that is too long, and a note above the maximum of a customer', async () => {
	const number = '919800000102'
	assert.equal((await add(number, '   ')).status, 400)
	assert.equal((await add(number, 'x'.repeat(MAX_NOTE_LENGTH + 1))).status, 400)
	assert.equal((await add(number, '😀'.repeat(MAX_NOTE_LENGTH))).status, 200)
	for (let at = 1; at < MAX_NOTES; at++) await add(number, `Note ${at}`)
	const full = await add(number, 'One more')
	assert.equal(full.status, 409)
	assert.match(full.body.message, /100 notes/)
	assert.equal((await textsOf(number)).length, MAX_NOTES)
})

test('addNote adds no more notes than fit when several are added at once', async () => {
	const number = '919800000108'
	for (let at = 2; at < MAX_NOTES; at++) await add(number, `Note ${at}`)
	const added = await Promise.all(Array.from({ length: 12 }, (_, at) => add(number, `At once ${at}`)))
	assert.deepEqual(
		added.map(({ status }) => status).toSorted((a, b) => a - b),
		[200, 200, ...Array.from({ length: 10 }, () => 409)],
	)
	assert.equal((await textsOf(number)).length, MAX_NOTES)
})

test('notes follow a customer to a new number, and those of its next owner stay', async () => {
	await add('919800000103', 'Has two shops')
	await moveNotes(app.context.db, person.accountId, { from: '919800000103', into: '919800000104' })
	assert.deepEqual(await textsOf('919800000104'), ['Has two shops'])
	assert.deepEqual(await textsOf('919800000103'), [])
	await add('919800000104', 'Of the next owner')
	await app.context.db`
		update customer_notes set created_at = now() - interval '2 days'
		where account_id = ${person.accountId} and text = 'Has two shops'
	`
	const until = new Date(Date.now() - DAY_MS)
	await moveNotes(app.context.db, person.accountId, { from: '919800000104', into: '919800000107', until })
	assert.deepEqual(await textsOf('919800000107'), ['Has two shops'])
	assert.deepEqual(await textsOf('919800000104'), ['Of the next owner'])
})

test('retention deletes old notes about people who are no contacts, and keeps those of contacts and recent ones', async () => {
	const { db } = app.context
	await add('919800000105', 'Old')
	await db`
		update customer_notes set created_at = now() - interval '25 months'
		where account_id = ${person.accountId} and customer in ('919800000105', ${NUMBER})
	`
	await add('919800000105', 'Recent')
	assert.equal(await deleteOld(db, person.accountId, { age: '24 months', limit: 100 }), 1)
	assert.deepEqual(await textsOf('919800000105'), ['Recent'])
	assert.deepEqual(await textsOf(NUMBER), ['Prefers silk'])
})

test('the download of a person has the notes, and the erasure counts and deletes them', async () => {
	const number = '919800000106'
	await add(number, 'Allergic to wool')
	const query = { number: `+${number}` }
	const found = await app.call(privacy.person, { query }, person)
	assert.equal(found.body.counts.notes, 1)
	const { body: erased } = await app.call(privacy.erase, { body: query }, person)
	assert.equal(erased.counts.notes, 1)
	assert.deepEqual(await textsOf(number), [])
})
