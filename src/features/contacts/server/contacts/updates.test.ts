import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { listCountDrift } from '../count-queries.ts'

const app = await launchTestApp()

const upload = (rows: TypedPerson[], group: string | null, as: TestAccount) =>
	app.call(contacts.addMany, { body: { contacts: rows, group } }, as)

test('contacts.addMany with update writes the names and group of existing contacts, and keeps what the rows leave out', async () => {
	const person = await app.signIn('user')
	const newGroup = async (name: string) => {
		const { body } = await app.call(contactGroups.create, { body: { name, type: 'national' } }, person)
		return body.contactGroup._id
	}
	const [old, next] = [await newGroup('Old'), await newGroup('Next')]
	const list = async (query: object) =>
		(await app.call(contacts.list, { query: { page: 1, limit: 10, search: '', ...query } }, person)).body
	const rowsBefore = [
		{ firstName: 'Asha', lastName: 'Rao', number: '9876543210' },
		{ firstName: 'Ravi', lastName: 'Das', number: '9876543211' },
		{ firstName: 'Same', lastName: '', number: '9876543212' },
	]
	await upload(rowsBefore, old, person)
	const rows = [
		{ firstName: 'आशा', lastName: '', number: '+91 98765 43210' },
		{ firstName: 'Twin', lastName: 'Later', number: '9876543210' },
		{ firstName: 'Ravi', lastName: 'Das', number: '9876543211' },
		{ firstName: 'New', lastName: '', number: '9876543213' },
	]
	const update = async (group: string | null) =>
		(await app.call(contacts.addMany, { body: { contacts: rows, group, update: true } }, person)).body
	const renamed = await update(null)
	assert.deepEqual([renamed.savedContacts, renamed.existingContacts, renamed.updatedContacts], [1, 3, 1])
	const moved = await update(next)
	assert.deepEqual([moved.savedContacts, moved.existingContacts, moved.updatedContacts], [0, 4, 3])
	assert.equal((await update(next)).updatedContacts, 0)
	assert.deepEqual(
		(await list({ search: 'आशा' })).contacts.map((row) => [row.firstName, row.lastName, row.group?.name]),
		[['आशा', 'Rao', 'Next']],
	)
	assert.deepEqual([(await list({ group: old })).total, (await list({ group: next })).total], [1, 3])
	assert.deepEqual([...(await listCountDrift(app.context.db, person.accountId))], [])
})

test('contacts.known returns the indexes of the account’s numbers, and none of another account', async () => {
	const person = await app.signIn('user')
	await upload(
		['9810000000', '9810000001', '9810000002'].map((number) => ({ firstName: 'One', lastName: '', number })),
		null,
		person,
	)
	const numbers = ['+91 98100 00001', '12', '9810000009', '9810000000']
	const answer = await app.call(contacts.known, { body: { numbers } }, person)
	assert.deepEqual(answer.body.known, [0, 3])
	const other = await app.call(contacts.known, { body: { numbers } }, await app.signIn('user'))
	assert.deepEqual(other.body.known, [])
})
