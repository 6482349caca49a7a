import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { developer, Scope } from '#features/developer/contract.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { users } from '#features/users/contract.ts'
import type { PartIn } from '#lib/endpoint.ts'
import { apiKey } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()
const person = await app.signIn('user')

const create = (given: Partial<PartIn<typeof developer.createKey.body>> = {}, as = person) =>
	app.call(
		developer.createKey,
		{ body: { name: 'Shop', scopes: ['account:read'], currentPassword: as.password, ...given } },
		as,
	)

async function keyOf(...args: Parameters<typeof create>): Promise<{ id: string; token: string }> {
	const { status, body } = await create(...args)
	assert.equal(status, 201, JSON.stringify(body))
	return { id: body.id, token: body.key }
}

const balance = (token: string) => app.call(v1.balance, {}, { token })

test('createKey returns a key once, and the database contains neither the key nor its secret', async () => {
	const { status, body } = await create({ name: 'ERP', scopes: ['account:read', 'account:read', 'messages:write'] })
	assert.equal(status, 201)
	const [, id, secret = ''] = /^wbm_(\d+)_([\w-]{43})$/.exec(body.key) ?? []
	assert.equal(id, body.id)
	const { keys } = (await app.call(developer.keys, {}, person)).body
	const listed = keys.find((key) => key.id === body.id)
	assert.deepEqual(
		{ ...listed, createdAt: '' },
		{
			id: body.id,
			name: 'ERP',
			scopes: ['account:read', 'messages:write'],
			networks: [],
			dayLimit: null,
			isTest: false,
			createdAt: '',
			expiresAt: null,
			lastUsedAt: null,
		},
	)
	const [row] = await app.context.db<{ text: string }[]>`select k::text as text from api_keys k where id = ${id ?? ''}`
	assert.ok(row && !row.text.includes(secret))
})

test('createKey refuses a missing name, no scope, an unknown scope, an invalid network and an expiry in the past', async () => {
	const refused: [Parameters<typeof create>[0], RegExp][] = [
		[{ name: ' ' }, /^Name is required/],
		[{ scopes: [] }, /Choose what the key may do/],
		[{ scopes: ['everything' as 'account:read'] }, /scopes/],
		...['203.0.113.0/33', 'example.com', '1.2.3.4/', '::1/129', 'fe80::1%eth0', '1.2.3.4/8/8'].map(
			(network): [object, RegExp] => [{ networks: [network] }, /is no network/],
		),
		[{ expiresAt: '2020-01-01T00:00:00Z' }, /expired already/],
	]
	for (const [given, message] of refused) {
		const { status, body } = await create(given)
		assert.equal(status, 400, JSON.stringify(given))
		assert.match(body.message ?? '', message)
	}
})

test('createKey refuses the 51st key of an account', async () => {
	const other = await app.signIn('user')
	const { accountId } = other
	await app.context.db`
		insert into api_keys (account_id, name, secret_hash, scopes, networks)
		select ${accountId}, 'Old', '', '{}', '{}' from generate_series(1, 49)
	`
	await keyOf({}, other)
	assert.equal((await create({}, other)).status, 409)
})

test('a key calls /v1 with its scopes, and no other call of the product', async () => {
	const { token } = await keyOf()
	assert.equal((await balance(token)).status, 200)
	const { status, body } = await app.call(v1.contacts, {}, { token })
	assert.equal(status, 403)
	assert.deepEqual(
		{ ...body, detail: '' },
		{
			type: 'about:blank',
			title: 'Forbidden',
			status: 403,
			code: 'scope_missing',
			scope: 'contacts:read',
			detail: '',
		},
	)
	assert.equal((await app.call(contacts.list, {}, { token })).status, 401)
	assert.equal((await app.call(developer.keys, {}, { token })).status, 401)
})

const secretOf = (token: string) => token.split('_').slice(2).join('_')

test('a session, a changed key and another key’s id with a known secret return 401 from /v1', async () => {
	const [first, second] = [await keyOf(), await keyOf()]
	const wrong = [
		person.token,
		`${first.token}x`,
		first.token.slice(0, -1),
		`wbm_${first.id}_${secretOf(second.token)}`,
		`wbm_${'9'.repeat(18)}_${secretOf(first.token)}`,
		`wbm_${first.id}_${'a'.repeat(2000)}`,
	]
	for (const token of wrong) {
		const { status, body } = await balance(token)
		assert.equal(status, 401, token)
		assert.equal((body as unknown as { code: string }).code, 'unauthenticated')
	}
})

test('revokeKey revokes the key immediately, and returns 404 to another account', async () => {
	const { id, token } = await keyOf()
	const stranger = await app.signIn('user')
	assert.equal((await app.call(developer.revokeKey, { params: { id } }, stranger)).status, 404)
	assert.equal((await balance(token)).status, 200)
	assert.equal((await app.call(developer.revokeKey, { params: { id } }, person)).status, 200)
	assert.equal((await balance(token)).status, 401)
	assert.equal((await app.call(developer.revokeKey, { params: { id } }, person)).status, 404)
})

/** Returns the statuses of two reading and two writing calls with a key of these scopes. */
const statusesFor = async (scopes: Scope[]) => {
	const key = await apiKey(app.context.db, person, scopes)
	const calls = [
		app.call(v1.contacts, {}, key),
		app.call(v1Campaigns.campaigns, {}, key),
		app.call(v1.createGroup, { body: { name: scopes.join() } }, key),
		app.call(v1Campaigns.startCampaign, { params: { id: '1' } }, key),
	]
	return (await Promise.all(calls)).map((answer) => answer.status)
}

test('a key with a read scope cannot write contacts or campaigns, and one with only the write scope can read them', async () => {
	assert.deepEqual(await statusesFor(['contacts:read', 'campaigns:read']), [200, 200, 403, 403])
	assert.deepEqual(await statusesFor(['contacts:write', 'campaigns:write']), [200, 200, 201, 404])
	assert.deepEqual(await statusesFor(['messages:write', 'messages:read']), [403, 403, 403, 403])
})

const isBody = (body: object) => developer.createKey.body.safeParse(body).success

test('createKey accepts a daily limit in whole rupees, and developer.keys returns it with the spending', async () => {
	for (const dayLimitRupees of [0, -1, 1.5, 100_000_000, '5'])
		assert.ok(!isBody({ name: 'Shop', scopes: ['account:read'], dayLimitRupees }), String(dayLimitRupees))
	const { id } = await keyOf({ dayLimitRupees: 500 })
	const { keys } = (await app.call(developer.keys, {}, person)).body
	assert.deepEqual(keys.find((key) => key.id === id)?.dayLimit, {
		limit: { paise: 50_000, rupees: '500.00' },
		spent: { paise: 0, rupees: '0.00' },
	})
})

test('an expired key returns 401', async () => {
	const { id, token } = await keyOf({ expiresAt: '2090-01-01T00:00:00Z' })
	assert.equal((await balance(token)).status, 200)
	await app.context.db`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`
	assert.equal((await balance(token)).status, 401)
})

test('a key works only from its networks', async () => {
	const here = await keyOf({ networks: ['10.0.0.0/8', '127.0.0.1'] })
	assert.equal((await balance(here.token)).status, 200)
	const elsewhere = await keyOf({ networks: ['203.0.113.77/24', '2001:db8::/32'] })
	const { status, body } = await balance(elsewhere.token)
	assert.equal(status, 403)
	assert.equal((body as unknown as { code: string }).code, 'network_not_allowed')
	const { keys } = (await app.call(developer.keys, {}, person)).body
	assert.deepEqual(keys.find(({ id }) => id === elsewhere.id)?.networks, ['203.0.113.0/24', '2001:db8::/32'])
})

test('keys of an account whose user is deactivated, deleted or made an admin return 401', async () => {
	for (const change of ['is_active = false', 'deleted_at = now()', `role = 'admin'`]) {
		const shop = await app.signIn('user')
		const { token } = await keyOf({}, shop)
		assert.equal((await balance(token)).status, 200)
		await app.context.db.unsafe(`update users set ${change} where id = ${shop.userId}`)
		assert.equal((await balance(token)).status, 401, change)
	}
})

test('a key stores the time of its use at most once a minute', async () => {
	const { id, token } = await keyOf()
	const lastUsed = async () => {
		const { keys } = (await app.call(developer.keys, {}, person)).body
		return keys.find((key) => key.id === id)?.lastUsedAt
	}
	await balance(token)
	const first = await lastUsed()
	assert.ok(first)
	await balance(token)
	assert.equal(await lastUsed(), first)
	await app.context.db`update api_keys set last_used_at = now() - interval '61 seconds' where id = ${id}`
	await balance(token)
	assert.ok(((await lastUsed()) ?? '') >= first)
})

test('creating and revoking a key are entries of the audit trail and of the user’s own activity', async () => {
	const [admin, shop] = [await app.signIn('admin'), await app.signIn('user')]
	const { id } = await keyOf({ name: 'Till', scopes: [...Scope.options] }, shop)
	await app.call(developer.revokeKey, { params: { id } }, shop)
	const query = { page: 1, limit: 10, search: shop.email }
	const { actions } = (await app.call(auth.adminActions, { query }, admin)).body
	assert.deepEqual(
		actions.map(({ action, details }) => [action, details]),
		[
			['api-key-revoked', '"Till"'],
			['api-key-made', `"Till": ${Scope.options.join(', ')}`],
		],
	)
	const { activity } = (await app.call(auth.activity, {}, shop)).body
	assert.ok(activity.some(({ kind }) => kind === 'api-key-made'))
	assert.equal((await app.call(users.me, {}, shop)).status, 200)
})
