import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { insertContacts } from './queries.ts'

let app: TestApp
let shop: TestAccount
let group: string
before(async () => {
	app = await startTestApp()
	shop = await app.signIn('user')
	const made = await app.call(contactGroups.create, { body: { name: 'Some', type: 'national' } }, shop)
	group = made.body.contactGroup._id
	const names = ['chandra', 'Asha', 'अमिता', 'bela', 'Zoya', 'asha']
	const rows = names.map((firstName, index) => ({
		firstName,
		lastName: null,
		number: `91980000000${9 - index}`,
		groupId: index < 3 ? Number(group) : null,
	}))
	await insertContacts(app.context.db, shop.accountId, rows)
})
after(() => app.close())

type Query = Partial<{ sort: string; order: string; search: string; group: string; page: number; limit: number }>
const list = async (query: Query) =>
	(await app.call(contacts.list, { query: { page: 1, limit: 10, search: '', ...query } as never }, shop)).body
const names = async (query: Query) => (await list(query)).contacts.map(({ firstName }) => firstName)

const BY_NAME = ['Asha', 'asha', 'bela', 'chandra', 'Zoya', 'अमिता']

test('contacts.list sorts by name without regard to case, in both directions', async () => {
	assert.deepEqual(await names({ sort: 'name', order: 'asc' }), BY_NAME)
	assert.deepEqual(await names({ sort: 'name', order: 'desc' }), BY_NAME.toReversed())
})

test('contacts.list sorted by name or number returns each contact on exactly one page', async () => {
	for (const sort of ['name', 'number', 'added'])
		for (const order of ['asc', 'desc']) {
			const whole = await names({ sort, order })
			const pages = await Promise.all([1, 2, 3].map((page) => names({ sort, order, page, limit: 2 })))
			assert.deepEqual(pages.flat(), whole, `${sort} ${order}`)
		}
	assert.deepEqual(await names({ sort: 'number', order: 'asc' }), await names({ sort: 'added', order: 'desc' }))
})

test('contacts.list sorts the contacts of a group or a search, and returns the order', async () => {
	assert.deepEqual(await names({ sort: 'name', order: 'asc', group }), ['Asha', 'chandra', 'अमिता'])
	const found = await list({ sort: 'name', order: 'desc', search: 'a', limit: 2 })
	assert.deepEqual(
		[found.contacts.map(({ firstName }) => firstName), found.total, found.hasMore, found.sort, found.order],
		[['Zoya', 'chandra'], 5, false, 'name', 'desc'],
	)
	assert.deepEqual(await names({ sort: 'added', order: 'asc', search: 'asha' }), ['Asha', 'asha'])
})

test('contacts.list returns the newest first, with that order, when a group has too many contacts to sort', async () => {
	const big = await app.signIn('user')
	const made = await app.call(contactGroups.create, { body: { name: 'Big', type: 'national' } }, big)
	const groupId = Number(made.body.contactGroup._id)
	for (let from = 0; from < 20_001; from += 5000) {
		const size = Math.min(5000, 20_001 - from)
		const rows = Array.from({ length: size }, (_, index) => ({
			firstName: `Person ${from + index}`,
			lastName: null,
			number: `9197${String(10_000_000 + from + index)}`,
			groupId,
		}))
		await insertContacts(app.context.db, big.accountId, rows)
	}
	const query = { page: 1, limit: 10, search: '', sort: 'name', order: 'asc' } as const
	const inGroup = (await app.call(contacts.list, { query: { ...query, group: String(groupId) } }, big)).body
	assert.deepEqual([inGroup.sort, inGroup.order, inGroup.contacts[0]?.firstName], ['added', 'desc', 'Person 20000'])
	const all = (await app.call(contacts.list, { query }, big)).body
	assert.deepEqual([all.sort, all.contacts[1]?.firstName], ['name', 'Person 1'])
})

test('contacts.list falls back to the default order when the order is unknown', async () => {
	const { sort, order } = await list({ sort: 'password', order: 'up' })
	assert.deepEqual([sort, order], ['added', 'desc'])
})
