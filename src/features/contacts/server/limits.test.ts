import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { contacts } from '../contract.ts'
import { contactGroups } from '../group-contract.ts'
import { insertContacts } from './contacts/queries.ts'
import { findCachedCount } from './count-queries.ts'
import { addToNewGroup } from './service.ts'

const app = await launchTestApp({ env: { ACCOUNT_CONTACTS: '10' } })

const rowsOf = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		firstName: `Person ${from + index}`,
		lastName: '',
		number: `9198${String(10_000_000 + from + index)}`,
	}))
const addMany = (as: TestAccount, count: number, from = 0) =>
	app.call(contacts.addMany, { body: { contacts: rowsOf(count, from), group: null } }, as)
const create = (as: TestAccount, at: number) => {
	const [row] = rowsOf(1, at)
	assert.ok(row)
	return app.call(contacts.create, { body: row }, as)
}
const countOf = ({ accountId }: TestAccount) => findCachedCount(app.context.db, accountId, null)

async function withContacts(count: number): Promise<TestAccount> {
	const person = await app.signIn('user')
	const rows = rowsOf(count).map((row) => ({ ...row, lastName: null, groupId: null }))
	await insertContacts(app.context.db, person.accountId, rows)
	return person
}

test('contacts.create returns 409 over the account’s limit, and succeeds again after a deletion', async () => {
	const person = await withContacts(9)
	const { status, body } = await create(person, 9)
	assert.equal(status, 200)
	const refused = await create(person, 10)
	assert.deepEqual(
		[refused.status, refused.body.message],
		[
			409,
			'Your account may keep 10 contacts and has 10: there is no room for 1 more. Delete contacts that you no longer write to, or ask your administrator to raise the limit.',
		],
	)
	assert.equal(await countOf(person), 10)
	await app.call(contacts.remove, { params: { id: body.contact._id } }, person)
	assert.equal((await create(person, 10)).status, 200)
})

test('contacts.addMany returns 409 and saves nothing over the limit, and does not count existing numbers', async () => {
	const person = await withContacts(9)
	const refused = await addMany(person, 4, 8)
	assert.equal(refused.status, 409)
	assert.match(refused.body.message ?? '', /may keep 10 contacts and has 9: there is no room for 3 more/)
	assert.equal(await countOf(person), 9)
	const full = await addMany(person, 10)
	assert.deepEqual([full.status, full.body.savedContacts, full.body.existingContacts], [200, 1, 9])
	const again = await addMany(person, 10)
	assert.deepEqual([again.status, again.body.savedContacts, again.body.existingContacts], [200, 0, 10])
})

test('concurrent calls of contacts.addMany never store more contacts than the limit', async () => {
	const person = await withContacts(0)
	const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => addMany(person, 3, index * 3)))
	assert.equal(answers.filter(({ status }) => status === 200).length, 3)
	assert.equal(await countOf(person), 9)
})

test('addToNewGroup writes neither group nor contacts when the new contacts would exceed the limit', async () => {
	const person = await withContacts(9)
	const group = { name: 'Answered', type: 'national', description: null } as const
	const createGroupOf = (count: number) =>
		addToNewGroup(app.context, person.accountId, {
			group,
			async *people() {
				yield rowsOf(count).map(({ number }) => ({ number, name: null }))
			},
		})
	await assert.rejects(createGroupOf(11), { status: 409 })
	const { body } = await app.call(contacts.groups, { query: { page: 1, limit: 10, search: '' } }, person)
	assert.deepEqual(body.contactGroups, [])
	assert.equal(await countOf(person), 9)
	await createGroupOf(10)
	assert.equal(await countOf(person), 10)
})

test('contactGroups.create returns 409 over 2,000 groups, also when called concurrently, and deleted empty groups leave no rows', async () => {
	const person = await app.signIn('user')
	const { db } = app.context
	const add = (name: string) => app.call(contactGroups.create, { body: { name, type: 'national' } }, person)
	const { body } = await add('First')
	await db`
		insert into contact_groups (account_id, name) select ${person.accountId}, 'Group ' || n from generate_series(2, 1999) n
	`
	const atOnce = await Promise.all(['A', 'B', 'C', 'D'].map(add))
	assert.equal(atOnce.filter(({ status }) => status === 200).length, 1)
	const refused = await add('Beyond')
	assert.deepEqual(
		[refused.status, refused.body.message],
		[409, 'Your account has 2,000 contact groups, which is the most it may have. Delete one that you no longer use.'],
	)
	const id = body.contactGroup._id
	const [row] = rowsOf(1)
	assert.ok(row)
	const member = await app.call(contacts.create, { body: { ...row, group: id } }, person)
	await app.call(contacts.remove, { params: { id: member.body.contact._id } }, person)
	await app.call(contactGroups.remove, { params: { id } }, person)
	const left = await db`
		select 1 from contact_groups where account_id = ${person.accountId} and id = ${id}
		union all select 1 from contact_counts where account_id = ${person.accountId} and group_id = ${id}
	`
	assert.equal(left.length, 0)
	assert.equal((await add('In its place')).status, 200)
})
