import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { account } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { ensureFirstAdmin } from './service.ts'

let app: TestApp
before(async () => {
	app = await startTestApp()
})
after(() => app.close())

const secondsLeft = async (email: string) => {
	const [row] = await app.context.db<{ seconds: number }[]>`
		select extract(epoch from s.expires_at - now())::float8 as seconds
		from sessions s join users u on u.id = s.user_id
		where u.email = ${email}
		order by s.created_at desc limit 1
	`
	return row?.seconds ?? 0
}

/** Tries to sign in from another network address, as a proxy on this machine would pass it on. Returns the status. */
async function loginFrom(ip: string, body: { email: string; password: string }): Promise<number> {
	const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
	const answer = await fetch(app.url + auth.login.path, { method: 'POST', headers, body: JSON.stringify(body) })
	return answer.status
}

test('signing in answers with a token that opens every other call, and with the balance in rupees', async () => {
	const { email, password, userId } = await account(app.context, { balancePaise: 12_345 })
	const { status, body } = await app.call(auth.login, { body: { email: email.toUpperCase(), password } })
	assert.equal(status, 200)
	assert.equal(body.user.walletBalance, 123.45)
	assert.equal(body.user._id, userId)
	const me = await app.call(users.me, {}, body)
	assert.equal(me.body.email, email)
})

test('a session lasts 12 hours, or 30 days when it is to be remembered', async () => {
	const { email, password } = await account(app.context)
	await app.call(auth.login, { body: { email, password } })
	assert.equal(Math.round((await secondsLeft(email)) / 3600), 12)
	await app.call(auth.login, { body: { email, password, remember: true } })
	assert.equal(Math.round((await secondsLeft(email)) / 86_400), 30)
})

test('a wrong password and an unknown address get the same answer', async () => {
	const { email } = await account(app.context)
	const wrong = await app.call(auth.login, { body: { email, password: 'not this one' } })
	const unknown = await app.call(auth.login, { body: { email: 'nobody@example.com', password: 'not this one' } })
	assert.deepEqual([wrong.status, wrong.body], [401, { message: 'Invalid email or password' }])
	assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body])
})

test('an inactive account is told so, but only with the right password', async () => {
	const { email, password } = await account(app.context, { isActive: false })
	const right = await app.call(auth.login, { body: { email, password } })
	assert.equal(right.status, 403)
	assert.equal(right.body.message, 'Your account is inactive. Please contact your administrator.')
	const wrong = await app.call(auth.login, { body: { email, password: 'not this one' } })
	assert.equal(wrong.status, 401)
})

test('sign-in says what is missing', async () => {
	const { status, body } = await app.call(auth.login, { body: { email: 'someone', password: '' } })
	assert.equal(status, 400)
	assert.deepEqual(body, {
		message: 'Invalid email format',
		fields: { email: 'Invalid email format', password: 'Password is required' },
	})
})

test('logging out ends that session and no other', async () => {
	const person = await account(app.context)
	const login = { body: { email: person.email, password: person.password } }
	const [one, other] = [await app.call(auth.login, login), await app.call(auth.login, login)]
	assert.equal((await app.call(auth.logout, {}, one.body)).status, 200)
	assert.equal((await app.call(users.me, {}, one.body)).status, 401)
	assert.equal((await app.call(users.me, {}, other.body)).status, 200)
})

test('an expired session, and that of somebody made inactive or deleted, opens nothing', async () => {
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

test('when somebody was last seen is written at most once a minute', async () => {
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

test('a created user can sign in and finds an empty wallet, the standard prices and a welcome', async () => {
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

test('an e-mail address belongs to one user, however it is spelled and however many ask at once', async () => {
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

test('a user without a name is refused with the words of the form', async () => {
	const admin = await app.signIn('admin')
	const { status, body } = await app.call(
		auth.createUser,
		{ body: { name: '  ', email: 'x@example.com', password: 'secret' } },
		admin,
	)
	assert.deepEqual([status, body.message], [400, 'Name is required'])
})

test('guessing from one place is slowed down there, and nowhere else', async () => {
	const { email, password } = await account(app.context)
	const guess = { email, password: 'guess number' }
	const statuses = await Promise.all(Array.from({ length: 12 }, () => loginFrom('198.51.100.1', guess)))
	assert.equal(statuses.filter((status) => status === 401).length, 5)
	assert.equal(statuses.filter((status) => status === 429).length, 7)
	assert.equal(await loginFrom('198.51.100.1', { email: email.toUpperCase(), password }), 429)
	assert.equal(await loginFrom('198.51.100.2', { email, password }), 200)
})

test('guessing from many places is slowed down, but not for the owner where they have signed in before', async () => {
	const { email, password } = await account(app.context)
	const right = { email, password }
	assert.equal(await loginFrom('203.0.113.77', right), 200)
	const guessFrom = (places: string[]) =>
		Promise.all(places.map((ip) => loginFrom(ip, { email, password: 'guess number' })))
	const statuses = await guessFrom(Array.from({ length: 60 }, (_, n) => `198.51.100.${n}`))
	assert.ok(statuses.filter((status) => status === 429).length >= 10)
	// Each further try that is let through doubles the wait, so that a slow machine does not sit it out.
	for (let n = 0; n < 4; n++) await guessFrom([`198.51.100.${100 + n}`, `198.51.100.${110 + n}`])
	assert.equal(await loginFrom('198.51.100.99', right), 429)
	assert.equal(await loginFrom('203.0.113.77', right), 200)
})

test('one network address may try to sign in twenty times a minute', async () => {
	const statuses = []
	for (let n = 0; n < 21; n++)
		statuses.push(await loginFrom('203.0.113.5', { email: `a${n}@example.com`, password: '' }))
	assert.deepEqual(statuses.slice(-2), [400, 429])
})

test('neither tokens nor passwords are stored as they are', async () => {
	const person = await account(app.context, { password: 'hush hush hush' })
	const rows = await app.context.db`select s::text, u::text from sessions s join users u on u.id = s.user_id`
	const stored = JSON.stringify(rows)
	assert.ok(stored.includes('$argon2id$'))
	assert.ok(!stored.includes(person.password))
	const token = Buffer.from(person.token)
	assert.ok(!stored.includes(person.token) && !stored.includes(token.toString('hex')))
})

test('the first admin is created once, however many processes start, and not when there is one', async () => {
	const fresh = await startTestApp()
	const env = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'secret' }
	const start = (given: Partial<typeof env>) => ensureFirstAdmin({ ...fresh.context, env: given })
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
