import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { users } from '../contract.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')
await account(app.context, { name: 'Asha Rao', email: 'asha@example.com', balancePaise: 50_050 })
await account(app.context, { name: 'आशा राव', email: 'asha.hindi@example.com' })
await account(app.context, { name: '100% Cotton_Shop', email: 'cotton@example.com' })
const gone = await account(app.context, { name: 'Gone Away' })
await app.context.db`update users set deleted_at = now() where id = ${gone.userId}`

const namesFor = async (search: string) => {
	const { body } = await app.call(users.list, { query: { page: 1, limit: 10, search } }, admin)
	return body.users.map((user) => user.name)
}

test('users.me returns the caller’s own profile with the balance in rupees', async () => {
	const person = await account(app.context, { name: 'Bina', balancePaise: 1 })
	const { body } = await app.call(users.me, {}, person)
	assert.equal(body.id, person.userId)
	assert.equal(body.name, 'Bina')
	assert.equal(body.walletBalance, 0.01)
	assert.ok(!('passwordHash' in body))
})

test('users.list returns pages of users, newest first, without deleted ones', async () => {
	const { body: all } = await app.call(users.list, { query: { page: 1, limit: 1000, search: '' } }, admin)
	assert.ok(!all.users.some((user) => user.name === 'Gone Away'))
	const ids = all.users.map((user) => Number(user._id))
	assert.deepEqual(
		ids,
		ids.toSorted((a, b) => b - a),
	)
	assert.equal(all.total, ids.length)
	const { body: second } = await app.call(users.list, { query: { page: 2, limit: 2, search: '' } }, admin)
	assert.deepEqual(second.users, all.users.slice(2, 4))
	assert.equal(second.pages, Math.ceil(ids.length / 2))
})

test('users.list with a search finds parts of names and addresses in any letter case and script', async () => {
	assert.deepEqual(await namesFor('asha'), ['आशा राव', 'Asha Rao'])
	assert.deepEqual(await namesFor('RAO'), ['Asha Rao'])
	assert.deepEqual(await namesFor('राव'), ['आशा राव'])
	assert.deepEqual(await namesFor('nobody at all'), [])
})

test('users.list with a search treats %, _ and backslashes as ordinary characters', async () => {
	assert.deepEqual(await namesFor('100%'), ['100% Cotton_Shop'])
	assert.deepEqual(await namesFor('n_S'), ['100% Cotton_Shop'])
	assert.deepEqual(await namesFor('A%a'), [])
	assert.deepEqual(await namesFor('\\'), [])
})

test('users.list returns the first page for an invalid page number', async () => {
	const response = await fetch(`${app.url}/api/users?page=zero&limit=2`, {
		headers: { authorization: `Bearer ${admin.token}` },
	})
	assert.equal(((await response.json()) as { page: number }).page, 1)
})
