import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { createField } from '#features/contacts/server/fields/fields.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import type { PartIn } from '#lib/endpoint.ts'
import { transaction } from '#lib/server/db.ts'
import { apiKey, template, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'

let app: TestApp
let person: TestAccount
let key: { token: string }
before(async () => {
	app = await startTestApp()
	person = await app.signIn('user')
	key = await keyOf(person)
})
after(() => app.close())

const keyOf = (tenant: TestAccount) => apiKey(app.context.db, tenant)

interface Problem {
	errors?: { path: string; detail: string }[]
}

function callsLeft(headers: Headers): number {
	return Number(/^"account";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1])
}

test('each answer to a key returns the number of remaining calls', async () => {
	const { headers } = await app.call(v1.balance, {}, key)
	assert.equal(headers.get('ratelimit-policy'), '"account";q=10000;w=10')
	const next = await app.call(v1.balance, {}, key)
	assert.equal(callsLeft(next.headers), callsLeft(headers) - 1)
})

test('v1.balance returns paise and rupees, with the prices of a message in India and abroad', async () => {
	const tenant = await app.signIn('user')
	await app.context.db`
		update prices set service_paise = 12, abroad_rule = 'card', abroad_percent = 10 where account_id = ${tenant.accountId}
	`
	const payment = { reference: 'test:v1', amountPaise: 12_345 }
	await transaction(app.context.db, (sql) => postRecharge(sql, tenant.accountId, payment))
	const { body } = await app.call(v1.balance, {}, await keyOf(tenant))
	const { abroad, ...home } = body.prices
	assert.deepEqual(
		abroad.filter(({ market }) => ['AE', 'NP'].includes(market)).map(({ name, marketing }) => [name, marketing]),
		[
			['Nepal', null],
			['United Arab Emirates', { paise: 403, rupees: '4.03' }],
		],
	)
	assert.deepEqual(
		{ ...body, prices: home },
		{
			available: { paise: 12_345, rupees: '123.45' },
			held: { paise: 0, rupees: '0.00' },
			prices: {
				marketing: { paise: 100, rupees: '1.00' },
				utility: { paise: 30, rupees: '0.30' },
				authentication: { paise: 30, rupees: '0.30' },
				service: { paise: 12, rupees: '0.12' },
			},
		},
	)
})

test('v1.statement returns lines in pages, newest first', async () => {
	const tenant = await app.signIn('user')
	for (const amountPaise of [100, 200, 300]) {
		const payment = { reference: `test:statement:${amountPaise}`, amountPaise }
		await transaction(app.context.db, (sql) => postRecharge(sql, tenant.accountId, payment))
	}
	const as = await keyOf(tenant)
	const first = (await app.call(v1.statement, { query: { limit: 2 } }, as)).body
	assert.deepEqual(
		first.data.map((line) => [line.kind, line.availableChange.paise, line.available.rupees]),
		[
			['recharge', 300, '6.00'],
			['recharge', 200, '3.00'],
		],
	)
	const second = (await app.call(v1.statement, { query: { limit: 2, cursor: first.next ?? '' } }, as)).body
	assert.deepEqual(
		second.data.map((line) => line.availableChange.paise),
		[100],
	)
	assert.equal(second.next, null)
})

test('v1.templates returns the values that a message needs, and no template to another account', async () => {
	const made = await template(app.context.db, person.accountId, { name: 'order_update' })
	const { data } = (await app.call(v1.templates, {}, key)).body
	const found = data.find(({ name }) => name === 'order_update')
	assert.deepEqual([found?.id, found?.status, found?.values], [String(made.id), 'APPROVED', ['var1']])
	const params = { id: String(made.id) }
	assert.equal((await app.call(v1.template, { params }, key)).status, 200)
	assert.equal((await app.call(v1.template, { params }, await keyOf(await app.signIn('user')))).status, 404)
})

test('v1.upsertContacts adds, renames and moves contacts, and the counts of groups follow', async () => {
	const as = await keyOf(await app.signIn('user'))
	const group = (await app.call(v1.createGroup, { body: { name: 'Buyers' } }, as)).body
	const upsert = (contacts: object[], more: object = {}) =>
		app.call(v1.upsertContacts, { body: { contacts, ...more } as never }, as)
	const one = { firstName: 'Asha', number: '+91 98765 43210' }
	assert.deepEqual((await upsert([one])).body, { added: 1, updated: 0 })
	const changed = { firstName: 'Asha', lastName: 'Rao', number: '9876543210' }
	const two = { firstName: 'Ravi', number: '9876543211' }
	assert.deepEqual((await upsert([changed, two], { group: group.id })).body, { added: 1, updated: 1 })
	assert.deepEqual((await upsert([one])).body, { added: 0, updated: 1 })
	const { data } = (await app.call(v1.contacts, { query: { group: group.id } }, as)).body
	assert.deepEqual(
		data.map(({ firstName, lastName, number, groupId }) => [firstName, lastName, number, groupId]),
		[
			['Asha', null, '919876543210', group.id],
			['Ravi', null, '919876543211', group.id],
		],
	)
	assert.equal((await app.call(v1.groups, {}, as)).body.data[0]?.contacts, 2)
	const [first] = data
	assert.equal((await app.call(v1.deleteContact, { params: { id: first?.id ?? '' } }, as)).status, 200)
	assert.equal((await app.call(v1.groups, {}, as)).body.data[0]?.contacts, 1)
	assert.equal((await app.call(v1.deleteGroup, { params: { id: group.id } }, as)).status, 200)
	assert.deepEqual((await app.call(v1.groups, {}, as)).body, { data: [], next: null })
})

test('v1.upsertContacts gives contacts tags and values, replaces the tags of known ones, and names an invalid value', async () => {
	const shop = await app.signIn('user')
	const as = await keyOf(shop)
	for (const [name, type] of [
		['City', 'text'],
		['Due', 'date'],
	] as const)
		await createField(app.context.db, shop.accountId, { name, type })
	const send = (contact: Partial<PartIn<typeof v1.upsertContacts.body>['contacts'][number]>) =>
		app.call(v1.upsertContacts, { body: { contacts: [{ firstName: 'Asha', number: '9876543210', ...contact }] } }, as)
	await send({ tags: ['VIP', 'Gold'], fields: { city: 'Pune', Due: '25/11/2026' } })
	await send({ tags: ['New'], fields: { City: '' } })
	const [saved] = (await app.call(v1.contacts, {}, as)).body.data
	assert.deepEqual([saved?.tags, saved?.fields], [['New'], { Due: '2026-11-25' }])
	await send({ number: '9876543211', tags: ['VIP'] })
	const tagged = async (query: PartIn<typeof v1.contacts.query>) =>
		(await app.call(v1.contacts, { query }, as)).body.data.map(({ number }) => number)
	assert.deepEqual(await tagged({ tag: 'vip' }), ['919876543211'])
	assert.deepEqual(await tagged({ tag: 'New' }), ['919876543210'])
	assert.deepEqual(await tagged({ tag: 'Gold' }), [])
	assert.equal((await app.call(v1.contacts, { query: { tag: 'Nobody' } }, as)).status, 404)
	const wrong = (await send({ fields: { Due: 'soon', 'a/b': 'x' } })) as unknown as { status: number; body: Problem }
	assert.equal(wrong.status, 422)
	assert.deepEqual(
		wrong.body.errors?.map(({ path }) => path),
		['/contacts/0/fields/Due', '/contacts/0/fields/a~1b'],
	)
})

test('v1.upsertContacts returns 422 with the place of each fault and writes nothing', async () => {
	const as = await keyOf(await app.signIn('user'))
	const contacts = [
		{ firstName: 'Asha', number: '9876543210' },
		{ firstName: 'Ravi', number: '12' },
		{ firstName: '', number: '9876543212' },
		{ firstName: 'Twice', number: '+919876543210' },
	]
	const send = (list: object[]) => app.call(v1.upsertContacts, { body: { contacts: list } as never }, as)
	const missing = (await send(contacts)) as unknown as { status: number; body: Problem }
	assert.equal(missing.status, 422)
	assert.deepEqual(
		missing.body.errors?.map(({ path }) => path),
		['/contacts/2/firstName', '/contacts/1/number', '/contacts/3/number'],
	)
	const wrong = (await send(contacts.filter(({ firstName }) => firstName))) as unknown as {
		status: number
		body: Problem
	}
	assert.equal(wrong.status, 422)
	assert.deepEqual(
		wrong.body.errors?.map(({ path }) => path),
		['/contacts/1/number', '/contacts/2/number'],
	)
	assert.deepEqual((await app.call(v1.contacts, {}, as)).body.data, [])
})

test('v1.upsertContacts accepts 5,000 contacts and no more, and v1.contacts lists them by cursor without a gap', async () => {
	const as = await keyOf(await app.signIn('user'))
	const contacts = Array.from({ length: MAX_ROWS + 1 }, (_, at) => ({
		firstName: `C${at}`,
		number: String(9_000_000_000 + at),
	}))
	assert.equal((await app.call(v1.upsertContacts, { body: { contacts } }, as)).status, 422)
	const { status, body } = await app.call(v1.upsertContacts, { body: { contacts: contacts.slice(1) } }, as)
	assert.deepEqual([status, body], [200, { added: MAX_ROWS, updated: 0 }])
	const names: string[] = []
	for (let cursor: string | null = null; ;) {
		const query = { limit: 999, ...(cursor !== null && { cursor }) }
		const page: { data: { firstName: string }[]; next: string | null } = (await app.call(v1.contacts, { query }, as))
			.body
		names.push(...page.data.map(({ firstName }) => firstName))
		cursor = page.next
		if (cursor === null) break
	}
	assert.deepEqual(
		names,
		contacts.slice(1).map(({ firstName }) => firstName),
	)
})

test('v1 opt-outs are written and read by number, and one invalid number refuses the whole request', async () => {
	const as = await keyOf(await app.signIn('user'))
	const set = (numbers: string[], optedOut: boolean) => app.call(v1.setOptOuts, { body: { numbers, optedOut } }, as)
	assert.equal((await set(['9876543210', 'x'], true)).status, 422)
	assert.deepEqual((await set(['98765 43210', '9876543211'], true)).body, { changed: 2 })
	assert.deepEqual((await set(['9876543210'], false)).body, { changed: 1 })
	const { data } = (await app.call(v1.optOuts, {}, as)).body
	assert.deepEqual(
		data.map(({ number, because }) => [number, because]),
		[['919876543211', 'manual']],
	)
})

test('groups, templates and opt-outs are listed by cursor without a gap while some are deleted', async () => {
	const tenant = await app.signIn('user')
	const as = await keyOf(tenant)
	const numbers = ['919876543210', '919876543211', '919876543212']
	for (const name of numbers) {
		await app.call(v1.createGroup, { body: { name } }, as)
		await template(app.context.db, tenant.accountId, { name: `t${name}` })
	}
	await app.call(v1.setOptOuts, { body: { numbers, optedOut: true } }, as)
	const remove = {
		groups: (id: string) => app.call(v1.deleteGroup, { params: { id } }, as),
		templates: (id: string) =>
			app.context.db`delete from templates where account_id = ${tenant.accountId} and id = ${id}`,
		optOuts: () => app.call(v1.setOptOuts, { body: { numbers: numbers.slice(0, 1), optedOut: false } }, as),
	}
	for (const list of ['groups', 'templates', 'optOuts'] as const) {
		const page = async (cursor?: string | null) =>
			(await app.call(v1[list], { query: { limit: 2, ...(cursor && { cursor }) } }, as)).body as {
				data: { id?: string; number?: string; name?: string }[]
				next: string | null
			}
		const first = await page()
		await remove[list](first.data[0]?.id ?? '')
		const second = await page(first.next)
		assert.deepEqual(
			[...first.data, ...second.data].map(({ name, number }) => number ?? name?.replace('t', '')),
			numbers,
			list,
		)
		assert.equal(second.next, null, list)
		assert.deepEqual((await page('9'.repeat(18))).data, [], list)
	}
})
