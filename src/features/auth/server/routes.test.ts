import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { account } from '#test/factories.ts'
import { launchTestApp, startTestApp } from '#test/http-app.ts'
import { stopClock } from '#test/stop-clock.ts'
import { ensureFirstAdmin } from './service.ts'

const app = await launchTestApp()

const secondsLeft = async (email: string) => {
	const [row] = await app.context.db<{ seconds: number }[]>`
		select extract(epoch from s.expires_at - now())::float8 as seconds
		from sessions s join users u on u.id = s.user_id
		where u.email = ${email}
		order by s.created_at desc limit 1
	`
	return row?.seconds ?? 0
}

/** Signs in through a proxy on this machine that passes on `ip` as the caller's address. */
function tryLogin(ip: string, body: { email: string; password: string }): Promise<Response> {
	const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
	return fetch(app.url + auth.login.path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function loginFrom(...given: Parameters<typeof tryLogin>): Promise<number> {
	return (await tryLogin(...given)).status
}

test('auth.login returns a token that other calls accept and the balance in rupees, for an address in any letter case', async () => {
	const { email, password, userId } = await account(app.context, { balancePaise: 12_345 })
	const { status, body } = await app.call(auth.login, { body: { email: email.toUpperCase(), password } })
	assert.equal(status, 200)
	assert.equal(body.user.walletBalance, 123.45)
	assert.equal(body.user._id, userId)
	const me = await app.call(users.me, {}, body)
	assert.equal(me.body.email, email)
})

test('auth.login opens a session of 12 hours, or of 30 days with remember', async () => {
	const { email, password } = await account(app.context)
	await app.call(auth.login, { body: { email, password } })
	assert.equal(Math.round((await secondsLeft(email)) / 3600), 12)
	await app.call(auth.login, { body: { email, password, remember: true } })
	assert.equal(Math.round((await secondsLeft(email)) / 86_400), 30)
})

test('auth.login returns the same 401 for a wrong password and for an unknown address', async () => {
	const { email } = await account(app.context)
	const wrong = await app.call(auth.login, { body: { email, password: 'not this one' } })
	const unknown = await app.call(auth.login, { body: { email: 'nobody@example.com', password: 'not this one' } })
	assert.deepEqual([wrong.status, wrong.body], [401, { message: 'Invalid email or password' }])
	assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body])
})

test('auth.login returns 403 to an inactive account with the right password, and 401 with a wrong one', async () => {
	const { email, password } = await account(app.context, { isActive: false })
	const right = await app.call(auth.login, { body: { email, password } })
	assert.equal(right.status, 403)
	assert.equal(right.body.message, 'Your account is inactive. Please contact your administrator.')
	const wrong = await app.call(auth.login, { body: { email, password: 'not this one' } })
	assert.equal(wrong.status, 401)
})

test('auth.login returns 400 naming each missing or invalid field', async () => {
	const { status, body } = await app.call(auth.login, { body: { email: 'someone', password: '' } })
	assert.equal(status, 400)
	assert.deepEqual(body, {
		message: 'Invalid email format',
		fields: { email: 'Invalid email format', password: 'Password is required' },
	})
})

test('auth.logout ends the session that calls it and leaves the user’s other sessions open', async () => {
	const person = await account(app.context)
	const login = { body: { email: person.email, password: person.password } }
	const [one, other] = [await app.call(auth.login, login), await app.call(auth.login, login)]
	assert.equal((await app.call(auth.logout, {}, one.body)).status, 200)
	assert.equal((await app.call(users.me, {}, one.body)).status, 401)
	assert.equal((await app.call(users.me, {}, other.body)).status, 200)
})

test('a session returns 401 after it has expired, or when its user is inactive or deleted', async () => {
	const { db } = app.context
	for (const end of [
		(id: string) => db`update sessions set expires_at = now() where user_id = ${id}`,
		(id: string) => db`update users set is_active = false where id = ${id}`,
		(id: string) => db`update users set deleted_at = now() where id = ${id}`,
	]) {
		const person = await app.signIn('user')
		assert.equal((await app.call(users.me, {}, person)).status, 200)
		await end(person.userId)
		assert.equal((await app.call(users.me, {}, person)).status, 401)
	}
})

test('a session writes last_seen_at at most once a minute, for any number of calls', async () => {
	const { db } = app.context
	const person = await app.signIn('user')
	const lastSeen = async () =>
		(
			await db<{ at: Date }[]>`select last_seen_at as at from sessions where user_id = ${person.userId}`
		)[0]?.at.getTime()
	await db`update sessions set last_seen_at = now() - interval '59 seconds' where user_id = ${person.userId}`
	const recently = await lastSeen()
	await app.call(users.me, {}, person)
	assert.equal(await lastSeen(), recently)
	await db`update sessions set last_seen_at = now() - interval '61 seconds' where user_id = ${person.userId}`
	await app.call(users.me, {}, person)
	assert.ok(((await lastSeen()) ?? 0) > Date.now() - 30_000)
})

test('auth.createUser creates a user who can sign in, with an empty wallet, the standard prices and a welcome notification', async () => {
	const admin = await app.signIn('admin')
	const body = { name: ' Asha Rao ', email: 'asha@example.com', password: 'secret' }
	const created = await app.call(auth.createUser, { body }, admin)
	assert.equal(created.status, 200)
	assert.equal(created.body.message, 'User created successfully')
	assert.equal(created.body.user.name, 'Asha Rao')
	const { body: session } = await app.call(auth.login, { body: { email: 'asha@example.com', password: 'secret' } })
	const prices = await app.call(pricing.mine, {}, session)
	assert.deepEqual(prices.body, { marketingPrice: 1, utilityPrice: 0.3 })
	const balance = await app.call(wallet.balance, {}, session)
	assert.deepEqual([balance.body.success, balance.body.walletBalance, balance.body.onHold], [true, 0, 0])
	const welcome = await app.call(notifications.list, {}, session)
	assert.equal(welcome.body.unread, 1)
})

test('auth.createUser returns 409 for an address that another user has in any letter case, also to concurrent calls', async () => {
	const admin = await app.signIn('admin')
	const create = (email: string) =>
		app.call(auth.createUser, { body: { name: 'Twin', email, password: 'secret' } }, admin)
	const answers = await Promise.all([
		create('twin@example.com'),
		create('Twin@Example.com'),
		create('TWIN@example.com'),
	])
	assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 409, 409])
	const refused = answers.find((answer) => answer.status === 409)
	assert.equal(refused?.body.message, 'A user with this email already exists')
	const [left] = await app.context.db<{ orphans: number }[]>`
		select count(*) as orphans from accounts a where not exists (select 1 from users u where u.account_id = a.id)
	`
	assert.equal(left?.orphans, 0)
})

test("auth.createUser returns 400 'Name is required' for a name of spaces", async () => {
	const admin = await app.signIn('admin')
	const { status, body } = await app.call(
		auth.createUser,
		{ body: { name: '  ', email: 'x@example.com', password: 'secret' } },
		admin,
	)
	assert.deepEqual([status, body.message], [400, 'Name is required'])
})

test('auth.login returns 429 to a network address after five wrong passwords for one account, and signs the user in from another', async (t) => {
	stopClock(t)
	const { email, password } = await account(app.context)
	const guess = { email, password: 'guess number' }
	const statuses = await Promise.all(Array.from({ length: 12 }, () => loginFrom('198.51.100.1', guess)))
	assert.equal(statuses.filter((status) => status === 401).length, 5)
	assert.equal(statuses.filter((status) => status === 429).length, 7)
	assert.equal(await loginFrom('198.51.100.1', { email: email.toUpperCase(), password }), 429)
	assert.equal(await loginFrom('198.51.100.2', { email, password }), 200)
})

test('auth.login returns the seconds to wait in Retry-After and in its message', async (t) => {
	stopClock(t)
	const { email } = await account(app.context)
	const guess = { email, password: 'guess number' }
	await Promise.all(Array.from({ length: 6 }, () => tryLogin('198.51.100.7', guess)))
	const answer = await tryLogin('198.51.100.7', guess)
	const { message } = (await answer.json()) as { message: string }
	assert.equal(answer.headers.get('retry-after'), /again in (\d+) second/.exec(message)?.[1])
	assert.equal(answer.status, 429)
})

test('auth.login returns 429 to new addresses while many guess one account, and signs the user in from a known address', async (t) => {
	const { email, password } = await account(app.context)
	const right = { email, password }
	assert.equal(await loginFrom('203.0.113.77', right), 200)
	stopClock(t)
	const places = Array.from({ length: 60 }, (_, n) => `198.51.100.${n}`)
	const statuses = await Promise.all(places.map((ip) => loginFrom(ip, { email, password: 'guess number' })))
	assert.equal(statuses.filter((status) => status === 401).length, 50)
	assert.equal(await loginFrom('198.51.100.99', right), 429)
	assert.equal(await loginFrom('203.0.113.77', right), 200)
})

test('auth.login returns 200 to 30 correct sign-ins a minute from one network address', async () => {
	const people = await Promise.all(Array.from({ length: 3 }, () => account(app.context)))
	const statuses = []
	for (let n = 0; n < 30; n++) {
		const { email, password } = people[n % people.length] ?? { email: '', password: '' }
		statuses.push(await loginFrom('203.0.113.4', { email, password }))
	}
	assert.deepEqual([...new Set(statuses)], [200])
})

test('auth.login returns 429 to a network address after 20 failures a minute, for any accounts', async (t) => {
	stopClock(t)
	const { email, password } = await account(app.context)
	for (let n = 0; n < 20; n++) {
		assert.equal(await loginFrom('203.0.113.5', { email: `a${n}@example.com`, password: 'a guess' }), 401)
	}
	assert.equal(await loginFrom('203.0.113.5', { email, password }), 429)
	assert.equal(await loginFrom('203.0.113.6', { email, password }), 200)
})

test('auth.login does not count the right password of an inactive account as a failure of its network address', async () => {
	const inactive = await Promise.all(Array.from({ length: 5 }, () => account(app.context, { isActive: false })))
	for (let n = 0; n < 20; n++) {
		const { email, password } = inactive[n % inactive.length] ?? { email: '', password: '' }
		assert.equal(await loginFrom('203.0.113.7', { email, password }), 403)
	}
	const { email, password } = await account(app.context)
	assert.equal(await loginFrom('203.0.113.7', { email, password }), 200)
})

test('auth.login returns 200 when X-Forwarded-For of a trusted proxy holds no valid address', async () => {
	const { email, password } = await account(app.context)
	for (const ip of ['unknown', 'fe80::1%eth0']) assert.equal(await loginFrom(ip, { email, password }), 200)
})

test('auth.login records the address of X-Forwarded-For only from a proxy in TRUST_PROXY', async () => {
	const distant = await startTestApp({ env: { TRUST_PROXY: '10.0.0.5, 10.1.0.0/16' } })
	try {
		const { email, password } = await account(distant.context)
		const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' }
		await fetch(distant.url + auth.login.path, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
		const rows = await distant.context.db`select host(ip) as ip from sessions order by created_at desc limit 1`
		assert.deepEqual([...rows], [{ ip: '127.0.0.1' }])
	} finally {
		await distant.close()
	}
})

test('the tables sessions and users store neither tokens nor passwords in plain text', async () => {
	const person = await account(app.context, { password: 'hush hush hush' })
	const rows = await app.context.db`select s::text, u::text from sessions s join users u on u.id = s.user_id`
	const stored = JSON.stringify(rows)
	assert.ok(stored.includes('$argon2id$'))
	assert.ok(!stored.includes(person.password))
	const token = Buffer.from(person.token)
	assert.ok(!stored.includes(person.token) && !stored.includes(token.toString('hex')))
})

test('ensureFirstAdmin creates one admin when several processes start concurrently, and none when one exists', async () => {
	const fresh = await startTestApp()
	const env = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'secret' }
	const start = (given: Partial<typeof env>) =>
		ensureFirstAdmin({ ...fresh.context, env: { ...fresh.context.env, ...given } })
	try {
		await start({})
		await Promise.all([start(env), start(env), start(env)])
		await start({ ...env, ADMIN_EMAIL: 'second@example.com' })
		const admins = await fresh.context.db`select email, role from users`
		assert.deepEqual([...admins], [{ email: 'boss@example.com', role: 'admin' }])
	} finally {
		await fresh.close()
	}
})
