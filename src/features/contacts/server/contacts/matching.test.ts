import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { liveChannel, subscribe } from '#lib/server/db/channels/channels.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { listCountDrift } from '../count-queries.ts'
import { insertContacts } from './queries.ts'

const app = await launchTestApp()

interface Filter {
	search: string
	group?: string | undefined
}
const list = async (as: TestAccount, query: object = {}) =>
	(await app.call(contacts.list, { query: { page: 1, limit: 1000, search: '', ...query } }, as)).body
const count = async (as: TestAccount, filter: Filter) =>
	(await app.call(contacts.count, { query: filter }, as)).body.total
const countsAreRight = async (as: TestAccount) =>
	assert.deepEqual([...(await listCountDrift(app.context.db, as.accountId))], [])

async function newGroup(as: TestAccount, name: string): Promise<string> {
	const { body } = await app.call(contactGroups.create, { body: { name, type: 'national' } }, as)
	return body.contactGroup._id
}

/** Creates a user with contacts called "Asha 0", "Ravi 1", "Asha 2" and so on, all in one group. */
async function accountOf(size: number): Promise<{ as: TestAccount; group: string }> {
	const as = await app.signIn('user')
	const group = await newGroup(as, 'All')
	const rows = Array.from({ length: size }, (_, index) => ({
		firstName: `${index % 2 === 0 ? 'Asha' : 'Ravi'} ${index}`,
		lastName: null,
		number: `9198${String(10_000_000 + index)}`,
		groupId: Number(group),
	}))
	await insertContacts(app.context.db, as.accountId, rows)
	return { as, group }
}

test('contacts.removeMany by search deletes every match beyond one batch, and no other contact', async () => {
	const { as } = await accountOf(4101)
	const matching = { search: 'asha', total: await count(as, { search: 'asha' }) }
	assert.equal(matching.total, 2051)
	const { status, body } = await app.call(contacts.removeMany, { body: { matching } }, as)
	assert.deepEqual([status, body.message], [200, '2,051 contacts deleted successfully'])
	assert.equal(await count(as, { search: '' }), 2050)
	assert.equal(await count(as, { search: 'asha' }), 0)
	await countsAreRight(as)
})

test('contacts.move by group moves every contact of the group, and contacts.count finds them in the other group', async () => {
	const { as, group } = await accountOf(20)
	const other = await newGroup(as, 'Other')
	const all = { search: '', group, total: 20 }
	const moved = await app.call(contacts.move, { body: { matching: all, group: other } }, as)
	assert.equal(moved.body.message, '20 contacts moved successfully')
	assert.deepEqual([await count(as, { search: '', group }), await count(as, { search: '', group: other })], [0, 20])
	const half = { search: 'ravi', group: other, total: 10 }
	await app.call(contacts.move, { body: { matching: half, group: null } }, as)
	assert.equal(await count(as, { search: '', group: other }), 10)
	await countsAreRight(as)
})

test('contacts.setOptOuts by search opts each number out once, and back in', async () => {
	const { as } = await accountOf(6)
	const matching = { search: 'ravi', total: 3 }
	const set = async (optedOut: boolean) =>
		(await app.call(contacts.setOptOuts, { body: { matching, optedOut } }, as)).body.changed
	assert.deepEqual([await set(true), await set(true)], [3, 0])
	const rows = (await list(as)).contacts
	assert.deepEqual(
		rows.map(({ firstName, optedOutBecause }) => [firstName.slice(0, 4), optedOutBecause]),
		[1, 2, 3].flatMap(() => [
			['Ravi', 'manual'],
			['Asha', null],
		]),
	)
	assert.equal(await set(false), 3)
	const { body } = await app.call(contacts.optOuts, { params: { id: rows[0]?._id ?? '' } }, as)
	assert.deepEqual(
		body.changes.map(({ optedOut, because }) => [optedOut, because]),
		[
			[false, 'manual'],
			[true, 'manual'],
		],
	)
})

test('contacts.setOptOuts publishes one event, not one for each chat, when it changes more than a hundred numbers', async () => {
	const { as } = await accountOf(101)
	const heard: (string | undefined)[] = []
	const stop = await subscribe(app.context.listener, liveChannel, {
		onPayload: ({ accountId, event }) => accountId === as.accountId && event.kind === 'chat' && heard.push(event.id),
	})
	const set = (search: string, total: number) =>
		app.call(contacts.setOptOuts, { body: { matching: { search, total }, optedOut: true } }, as)
	await set('ravi', 50)
	await until(() => heard.length === 50)
	assert.ok(heard.every((number) => number?.startsWith('9198')))
	heard.length = 0
	await app.call(contacts.setOptOuts, { body: { matching: { search: '', total: 101 }, optedOut: false } }, as)
	await until(() => heard.length >= 50)
	heard.length = 0
	await set('', 101)
	await until(() => heard.length > 0)
	stop()
	assert.deepEqual(heard, [undefined])
})

test('bulk calls return 409 with the current number and change nothing when the number of matches has changed', async () => {
	const { as, group } = await accountOf(8)
	const matching = { search: 'asha', group, total: 5 }
	for (const answer of [
		await app.call(contacts.removeMany, { body: { matching } }, as),
		await app.call(contacts.move, { body: { matching, group: null } }, as),
		await app.call(contacts.setOptOuts, { body: { matching, optedOut: true } }, as),
	]) {
		assert.equal(answer.status, 409)
		assert.match(answer.body.message ?? '', /^Nothing was changed: 4 contacts match by now\./)
	}
	const left = await list(as, { group })
	assert.deepEqual([left.total, left.contacts.some(({ optedOut }) => optedOut)], [8, false])
})

test('bulk calls match nothing in a deleted group and in another account’s group', async () => {
	const { as, group } = await accountOf(4)
	const other = await app.signIn('user')
	assert.equal(await count(other, { search: '', group }), 0)
	const theirs = await app.call(contacts.removeMany, { body: { matching: { search: '', group, total: 4 } } }, other)
	assert.equal(theirs.status, 409)
	await app.call(contactGroups.remove, { params: { id: group } }, as)
	assert.equal(await count(as, { search: '', group }), 0)
	const gone = await app.call(contacts.move, { body: { matching: { search: '', total: 4 }, group } }, as)
	assert.equal(gone.status, 404)
	assert.equal(await count(as, { search: '' }), 4)
})

test('bulk calls return 400 and change nothing when the search is missing or too long, a filter is unknown, or a value has no field', async () => {
	const { as, group } = await accountOf(3)
	const faulty: object[] = [
		{ total: 3 },
		{ search: 'a'.repeat(201), total: 3 },
		{ search: 7, total: 3 },
		{ search: '', value: 'Pune', total: 3 },
		{ search: '', groups: group, total: 3 },
	]
	for (const wrong of faulty) {
		const matching = wrong as never
		for (const answer of [
			await app.call(contacts.removeMany, { body: { matching } }, as),
			await app.call(contacts.move, { body: { matching, group: null } }, as),
			await app.call(contacts.setOptOuts, { body: { matching, optedOut: true } }, as),
		])
			assert.equal(answer.status, 400, JSON.stringify(wrong))
	}
	const left = await list(as, { group })
	assert.deepEqual([left.total, left.contacts.some(({ optedOut }) => optedOut)], [3, false])
})

test('bulk calls return 400 when they have neither ids nor a filter, or both', async () => {
	const as = await app.signIn('user')
	const matching = { search: '', total: 1 }
	for (const body of [{}, { ids: ['1'], matching }]) {
		const answer = await app.call(contacts.removeMany, { body }, as)
		assert.deepEqual([answer.status, answer.body.message], [400, 'Choose at least one contact'])
	}
	for (const body of [{ optedOut: true }, { ids: ['1'], matching, optedOut: true }])
		assert.equal((await app.call(contacts.setOptOuts, { body }, as)).status, 400)
})
