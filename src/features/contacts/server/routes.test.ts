import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, contact } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { contacts } from '../contract.ts'
import { insertContacts, type NewContact } from './contacts/queries.ts'
import { createGroup } from './groups/groups.ts'

const app = await launchTestApp()
const shop = await app.signIn('user')

const add = (body: { firstName?: string; lastName?: string; number?: string; group?: string | null }, as = shop) =>
	app.call(contacts.create, { body: body as { firstName: string; number: string } }, as)
const group = (name: string, as = shop) =>
	createGroup(app.context.db, as.accountId, { name, type: 'national', description: null })

async function search(text: string, as = shop): Promise<string[]> {
	const { body } = await app.call(contacts.list, { query: { page: 1, limit: 100, search: text } }, as)
	assert.equal(body.total, body.contacts.length)
	return body.contacts.map((row) => row.firstName)
}

test('contacts.create stores the canonical number and the group, and the list shows the contact first', async () => {
	const { id } = await group('Friends')
	const { status, body } = await add({
		firstName: ' Asha ',
		lastName: '',
		number: '+91 98765-43210',
		group: String(id),
	})
	assert.equal(status, 200)
	assert.equal(body.message, 'Contact added successfully')
	const { _id: _, createdAt, ...rest } = body.contact
	assert.ok(Date.parse(createdAt) > 0)
	assert.deepEqual(rest, {
		firstName: 'Asha',
		lastName: null,
		number: '919876543210',
		group: { _id: String(id), name: 'Friends' },
		optedOut: false,
		optedOutAt: null,
		optedOutBecause: null,
		consent: null,
		tags: [],
		fields: {},
	})
	const { body: list } = await app.call(contacts.list, {}, shop)
	assert.deepEqual(list.contacts[0], body.contact)
})

test('contacts.create returns 409 when the number exists in another spelling, also for concurrent calls', async () => {
	const spellings = ['9123456789', '09123456789', '+919123456789', '91 9123456789', '00919123456789']
	const answers = await Promise.all(spellings.map((number) => add({ firstName: 'Twin', number })))
	assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 409, 409, 409, 409])
	const refused = answers.find((answer) => answer.status === 409)
	const message = 'A contact with this number already exists'
	assert.deepEqual(refused?.body, { ...refused?.body, message, fields: { number: message } })
})

test('contacts.create returns 200 for a number that another account has', async () => {
	const other = await app.signIn('user')
	assert.equal((await add({ firstName: 'Mine', number: '9000000001' })).status, 200)
	assert.equal((await add({ firstName: 'Theirs', number: '9000000001' }, other)).status, 200)
})

test('contacts.create returns 400 without a first name or a number', async () => {
	for (const body of [
		{ firstName: ' ', number: '9000000002' },
		{ firstName: 'A', number: '' },
		{ firstName: 'A' },
		{},
	]) {
		const answer = await add(body)
		assert.deepEqual([answer.status, answer.body.message], [400, 'First name and number are required'])
	}
})

test('contacts.create returns 400 for texts without a number and for numbers that cannot exist', async () => {
	for (const number of ['letters', '+0', '12', '+1 234 567', '+999 8887776', '98765432101234567', '+91 98765']) {
		const answer = await add({ firstName: 'A', number })
		assert.deepEqual([answer.status, answer.body.message], [400, 'Invalid phone number format'], number)
		assert.deepEqual((answer.body as { fields?: object }).fields, { number: 'Invalid phone number format' })
	}
})

test('contacts.create stores numbers of other countries unchanged', async () => {
	const { body } = await add({ firstName: 'Zoe', number: '+44 7911 123456' })
	assert.equal(body.contact.number, '447911123456')
})

test('contacts.create returns 404 for an unknown group and for a group of another account', async () => {
	const other = await app.signIn('user')
	const theirs = await group('Theirs', other)
	for (const id of [String(theirs.id), '999999999']) {
		const answer = await add({ firstName: 'A', number: '9000000003', group: id })
		assert.deepEqual([answer.status, answer.body.message], [404, 'Contact group not found'])
	}
})

test('contacts.list with a search finds parts of the first, last and whole name in any case and script', async () => {
	const person = await app.signIn('user')
	const { db } = app.context
	await contact(db, person.accountId, { firstName: 'Rahul', lastName: 'Dravid' })
	await contact(db, person.accountId, { firstName: 'अमिताभ', lastName: 'बच्चन' })
	await contact(db, person.accountId, { firstName: '50%_off', lastName: null })
	assert.deepEqual(await search('HUL', person), ['Rahul'])
	assert.deepEqual(await search('l dra', person), ['Rahul'])
	assert.deepEqual(await search('मिता', person), ['अमिताभ'])
	assert.deepEqual(await search('अमिताभ बच्चन', person), ['अमिताभ'])
	assert.deepEqual(await search('%', person), ['50%_off'])
	assert.deepEqual(await search('_', person), ['50%_off'])
	assert.deepEqual(await search('\\', person), [])
	assert.equal((await search('', person)).length, 3)
})

test('contacts.list with a search finds a number by any part of it in any spelling', async () => {
	const person = await app.signIn('user')
	await contact(app.context.db, person.accountId, { firstName: 'Found', number: '919812345678' })
	await contact(app.context.db, person.accountId, { firstName: 'Other', number: '447911123456' })
	for (const typed of [
		'+91 98123-45678',
		'098123 45678',
		'00919812345678',
		'(98123)',
		'45678',
		'9198',
		'+9198',
		'00 919',
	]) {
		assert.deepEqual(await search(typed, person), ['Found'], typed)
	}
})

test('contacts.list with a group returns that group’s contacts in pages with their total', async () => {
	const person = await app.signIn('user')
	const { id } = await group('Big', person)
	const rows: NewContact[] = Array.from({ length: 25 }, (_, n) => ({
		firstName: `Member ${n}`,
		lastName: null,
		number: `9198000000${String(n).padStart(2, '0')}`,
		groupId: n < 12 ? id : null,
	}))
	assert.equal(await insertContacts(app.context.db, person.accountId, rows), 25)
	assert.equal(await insertContacts(app.context.db, person.accountId, rows), 0)
	const query = { page: 2, limit: 10, search: '', group: String(id) }
	const { body } = await app.call(contacts.list, { query }, person)
	assert.deepEqual([body.total, body.pages, body.page], [12, 2, 2])
	assert.deepEqual(
		body.contacts.map((row) => row.firstName),
		['Member 1', 'Member 0'],
	)
})

test('contacts.groups returns the account’s groups, the newest first, and finds them by name without accents and case', async () => {
	const person = await account(app.context)
	await group('Alpha', person)
	await group('Beta 100%', person)
	const list = async (text: string) =>
		(await app.call(contacts.groups, { query: { page: 1, limit: 10, search: text } }, person)).body.contactGroups.map(
			(row) => row.name,
		)
	await group('Café Zébra’s', person)
	assert.deepEqual(await list(''), ['Café Zébra’s', 'Beta 100%', 'Alpha'])
	for (const typed of ['cafe zebra', "ZEBRA's", 'zébra´s']) assert.deepEqual(await list(typed), ['Café Zébra’s'], typed)
	assert.deepEqual(await list('ALPH'), ['Alpha'])
	assert.deepEqual(await list('%'), ['Beta 100%'])
})
