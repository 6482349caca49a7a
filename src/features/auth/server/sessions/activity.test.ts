import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { setUpFactor } from '#test/scenes/second-factor.ts'
import { until } from '#test/until.ts'

const app = await launchTestApp()

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'

const signIn = (person: Pick<TestAccount, 'email' | 'password'>, ip: string, userAgent = CHROME) =>
	fetch(app.url + auth.login.path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': userAgent, 'x-forwarded-for': ip },
		body: JSON.stringify({ email: person.email, password: person.password }),
	})

const activityOf = async (person: TestAccount) => (await app.call(auth.activity, {}, person)).body.activity

const countOf = async ({ accountId }: TestAccount) => {
	const [row] = await app.context.db<{ rows: number }[]>`
		select count(*) as rows from sign_ins where account_id = ${accountId}
	`
	return row?.rows ?? 0
}

test('auth.activity returns sign-ins, failed attempts and own changes with device, address and time, newest first', async () => {
	const person = await account(app.context)
	await account(app.context)
	assert.equal((await signIn(person, '198.51.100.7')).status, 200)
	assert.equal((await signIn({ ...person, password: 'a guess' }, '203.0.113.9', 'curl/8')).status, 401)
	await until(async () => (await countOf(person)) === 3)
	const { name, email, password: currentPassword } = person
	const body = { name, email, currentPassword, newPassword: 'brand new words' }
	assert.equal((await app.call(users.updateMe, { body }, person)).status, 200)
	const activity = await activityOf(person)
	assert.deepEqual(
		activity.map(({ kind, device, ip }) => ({ kind, device, ip })),
		[
			{ kind: 'password-changed', device: null, ip: '127.0.0.1' },
			{ kind: 'wrong-password', device: 'Unknown device', ip: '203.0.113.9' },
			{ kind: 'signed-in', device: 'Chrome on Windows', ip: '198.51.100.7' },
			// The test's own session.
			{ kind: 'signed-in', device: 'Unknown device', ip: '192.0.2.1' },
		],
	)
	for (const { at } of activity) assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000)
})

test('auth.activity returns a wrong code after the right password as a failed sign-in, with device and address', async () => {
	const person = await account(app.context)
	await setUpFactor(app, person)
	const challenged = await signIn(person, '198.51.100.7')
	const { challenge } = (await challenged.json()) as { challenge: string }
	const answer = await fetch(app.url + auth.secondStep.path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': CHROME, 'x-forwarded-for': '203.0.113.9' },
		body: JSON.stringify({ challenge, code: '000000' }),
	})
	assert.equal(answer.status, 401)
	await until(async () => (await countOf(person)) === 2)
	const failed = (await activityOf(person)).filter(({ kind }) => kind === 'wrong-code')
	assert.deepEqual(
		failed.map(({ device, ip }) => ({ device, ip })),
		[{ device: 'Chrome on Windows', ip: '203.0.113.9' }],
	)
})

test('auth.activity returns an admin’s edit without the admin’s address', async () => {
	const [person, admin] = [await account(app.context), await app.signIn('admin')]
	const { name, email, userId } = person
	const body = { name: `${name} Rao`, email, role: 'user', isActive: true } as const
	assert.equal((await app.call(users.update, { params: { id: userId }, body }, admin)).status, 200)
	const [first] = await activityOf(person)
	assert.deepEqual([first?.kind, first?.ip], ['user-edited', null])
})

test('auth.login records the right password of an inactive account as a failed attempt, and an unknown address not at all', async () => {
	const inactive = await account(app.context, { isActive: false })
	assert.equal((await signIn(inactive, '198.51.100.8')).status, 403)
	await until(async () => (await countOf(inactive)) === 2)
	const all = async () => (await app.context.db<{ rows: number }[]>`select count(*) as rows from sign_ins`)[0]?.rows
	const rows = await all()
	assert.equal((await signIn({ email: 'nobody@example.com', password: 'a guess' }, '198.51.100.8')).status, 401)
	// Rows are written in order. The row of the second attempt exists, so the first attempt has no row.
	assert.equal((await signIn({ ...inactive, password: 'a guess' }, '198.51.100.8')).status, 401)
	await until(async () => (await all()) !== rows)
	assert.equal(await all(), Number(rows) + 1)
})

test('auth.login stores no 101st failed attempt of a day, and stores every successful sign-in', async () => {
	const person = await account(app.context)
	const { db } = app.context
	await db`
		insert into sign_ins (account_id, outcome, user_agent, ip, signed_in_at)
		select ${person.accountId}, 'wrong-password', '', '203.0.113.9', now() + n * interval '1 ms' from generate_series(1, 100) n
	`
	const stored = await countOf(person)
	assert.equal((await signIn({ ...person, password: 'a guess' }, '203.0.113.9')).status, 401)
	assert.equal((await signIn(person, '198.51.100.7')).status, 200)
	const activity = await activityOf(person)
	assert.equal(activity.filter(({ kind }) => kind === 'wrong-password').length, 50)
	assert.equal(activity.filter(({ kind }) => kind === 'signed-in').length, 2)
	assert.equal(await countOf(person), stored + 1)
})

test('auth.activity omits events older than 90 days', async () => {
	const person = await account(app.context)
	const { db } = app.context
	await db`
		insert into sign_ins (account_id, outcome, user_agent, signed_in_at)
		values (${person.accountId}, 'signed-in', '', now() - interval '91 days'),
			(${person.accountId}, 'signed-in', '', now() - interval '89 days')
	`
	assert.equal((await activityOf(person)).length, 2)
})
