import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { LIVE_PATH } from '#lib/live.ts'
import { createVault, type Vault } from '#lib/server/secrets.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp, startTestApp } from '#test/http-app.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { codeOf, setUpFactor } from '#test/scenes/second-factor.ts'
import { stopClock } from '#test/stop-clock.ts'
import { sendResetMail } from '../mails.ts'
import { reencryptSecondFactors, takeCode } from './second-factor-service.ts'

const WRONG = 'This code is wrong or was used already'

const app = await launchTestApp()

const start = (person: TestAccount, currentPassword = person.password) =>
	app.call(auth.startSecondFactor, { body: { currentPassword } }, person)
const confirm = (person: TestAccount, code: string) => app.call(auth.confirmSecondFactor, { body: { code } }, person)

const setUp = (person: TestAccount) => setUpFactor(app, person)
const login = ({ email, password }: TestAccount, remember = false) =>
	app.call(auth.login, { body: { email, password, remember } })

async function challengeFor(person: TestAccount, remember = false): Promise<string> {
	const { status, body } = await login(person, remember)
	const { challenge, message } = body as unknown as { challenge?: string; message: string }
	assert.deepEqual([status, message], [401, 'Enter the code from your authenticator app'])
	assert.ok(challenge && !('token' in body))
	return challenge
}

const secondStep = (challenge: string, code: string) => app.call(auth.secondStep, { body: { challenge, code } })
const stateOf = async (person: { token: string }) => (await app.call(auth.secondFactor, {}, person)).body

test('auth.login of a user with a second factor opens no session, and auth.secondStep with a code opens one', async () => {
	const person = await account(app.context)
	assert.equal((await login(person)).status, 200)
	const factor = await setUp(person)
	const count = async () => (await app.call(auth.sessions, {}, person)).body.sessions.length
	const opened = await count()
	const challenge = await challengeFor(person)
	assert.equal(await count(), opened)
	const { status, body } = await secondStep(challenge, codeOf(factor))
	assert.deepEqual([status, body.message, body.recoveryCodesLeft], [200, 'Login successful!', null])
	assert.equal(body.user.email, person.email)
	assert.equal((await app.call(users.me, {}, body)).status, 200)
})

test('auth.secondStep refuses a used code, a code used for the setup, and all but one of concurrent calls', async () => {
	const person = await account(app.context)
	const factor = await setUp(person)
	const challenge = await challengeFor(person)
	assert.equal((await secondStep(challenge, codeOf(factor, -1))).status, 401)
	const answers = await Promise.all([1, 2, 3].map(() => secondStep(challenge, codeOf(factor))))
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])
	assert.ok(answers.some(({ body }) => body.message === WRONG))
})

test('auth.secondStep accepts codes of one step before and after, and refuses codes of two steps', async (t) => {
	stopClock(t)
	const person = await account(app.context)
	const { secret } = (await start(person)).body
	assert.equal((await confirm(person, codeOf({ secret }, -2))).status, 400)
	assert.equal((await confirm(person, codeOf({ secret }, -1))).status, 200)
	const challenge = await challengeFor(person)
	assert.equal((await secondStep(challenge, codeOf({ secret }, 2))).status, 401)
	assert.equal((await secondStep(challenge, codeOf({ secret }, 1))).status, 200)
})

test('auth.secondStep accepts each of ten recovery codes once, in any spelling, and returns the number left', async () => {
	const person = await account(app.context)
	const { recoveryCodes } = await setUp(person)
	assert.equal(new Set(recoveryCodes).size, 10)
	for (const code of recoveryCodes) assert.match(code, /^([a-hjkmnp-z1-9]{4}-){5}[a-hjkmnp-z1-9]{4}$/)
	const [first = '', second = ''] = recoveryCodes
	const challenge = await challengeFor(person)
	const opened = await secondStep(challenge, ` ${first.toUpperCase().replaceAll('-', ' ')} `)
	assert.deepEqual([opened.status, opened.body.recoveryCodesLeft], [200, 9])
	assert.equal((await secondStep(challenge, first)).status, 401)
	assert.equal((await secondStep(challenge, second.replaceAll('-', ''))).body.recoveryCodesLeft, 8)
	assert.equal((await stateOf(person)).recoveryCodesLeft, 8)
})

test('auth.secondStep returns 429 after five wrong codes for an account from any addresses, also to a right code', async (t) => {
	stopClock(t)
	const person = await account(app.context)
	const factor = await setUp(person)
	const challenge = await challengeFor(person)
	const send = (ip: number, code: string) =>
		fetch(app.url + auth.secondStep.path, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${ip}` },
			body: JSON.stringify({ challenge, code }),
		})
	const statuses = []
	for (let n = 0; n < 6; n++) statuses.push((await send(n, '000000')).status)
	assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
	const refused = await send(9, codeOf(factor))
	assert.equal(refused.status, 429)
	assert.ok(Number(refused.headers.get('retry-after')) >= 1)
})

test('auth.secondStep refuses a challenge after five minutes, a change of the password or a deactivation, and a made-up one', async (t) => {
	const person = await account(app.context)
	const factor = await setUp(person)
	const [first, second] = [await challengeFor(person), await challengeFor(person)]
	const tooLate = async (challenge: string) => {
		const { status, body } = await secondStep(challenge, codeOf(factor))
		assert.deepEqual([status, body.message], [401, 'This took too long. Please enter your password again.'])
	}
	await tooLate('made up')
	await tooLate(
		`${person.accountId}.${app.context.vault.encrypt(person.accountId, '{"userId":1}').toString('base64url')}`,
	)
	await app.context.db`update users set is_active = false where id = ${person.userId}`
	await tooLate(first)
	await app.context
		.db`update users set is_active = true, password_hash = password_hash || ' ' where id = ${person.userId}`
	await tooLate(first)
	await app.context.db`update users set password_hash = trim(password_hash) where id = ${person.userId}`
	t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5 * MINUTE_MS })
	await tooLate(second)
})

test('auth.login does not count the right password of a user with a second factor as a failure of its network address', async () => {
	const person = await account(app.context)
	await setUp(person)
	for (let n = 0; n < 21; n++) await challengeFor(person)
})

test('auth.confirmSecondFactor activates a factor after the password and a first code, and ends the other sessions', async () => {
	const person = await account(app.context)
	const { body: other } = await login(person)
	const refused = await start(person, 'a guess')
	assert.deepEqual([refused.status, refused.body.message], [400, 'Current password is incorrect'])
	const { body } = await start(person)
	assert.equal(
		body.uri,
		`otpauth://totp/WhatsApp%20Bulk%20Message:${encodeURIComponent(person.email)}?issuer=WhatsApp%20Bulk%20Message&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
	)
	assert.equal((await login(person)).status, 200)
	const wrong = await confirm(person, '000000')
	assert.equal(wrong.status, 400)
	assert.match((wrong.body as { fields?: { code: string } }).fields?.code ?? '', /wrong or was used/)
	assert.deepEqual(await stateOf(person), { isOn: false, isRequired: false, recoveryCodesLeft: 0 })
	assert.equal((await confirm(person, codeOf(body))).status, 200)
	assert.equal((await app.call(users.me, {}, other)).status, 401)
	assert.deepEqual(await stateOf(person), { isOn: true, isRequired: false, recoveryCodesLeft: 10 })
	assert.equal((await start(person)).status, 409)
	assert.equal((await confirm(person, codeOf(body))).status, 409)
})

test('auth.removeSecondFactor removes a factor with the password and a code, and then the password is enough to sign in', async () => {
	const person = await account(app.context)
	const factor = await setUp(person)
	const remove = (currentPassword: string, code: string) =>
		app.call(auth.removeSecondFactor, { body: { currentPassword, code } }, person)
	assert.equal((await remove('a guess', codeOf(factor))).status, 400)
	assert.equal((await remove(person.password, '000000')).status, 400)
	assert.equal((await remove(person.password, codeOf(factor))).status, 200)
	assert.equal((await login(person)).status, 200)
	const left = await app.context.db`select 1 from recovery_codes where user_id = ${person.userId}`
	assert.equal(left.length, 0)
})

test('auth.resetPassword leaves the second factor on', async () => {
	const person = await account(app.context)
	const factor = await setUp(person)
	await sendResetMail(app.context, person)
	const token = resetTokenOf((await mailsTo(app.context, person.email)).at(-1))
	const password = 'brand new'
	assert.equal((await app.call(auth.resetPassword, { body: { token, password } })).status, 200)
	const challenge = await challengeFor({ ...person, password })
	assert.equal((await secondStep(challenge, codeOf(factor))).status, 200)
})

test('users.resetSecondFactor by an admin ends the sessions and is in the audit trail; it refuses the admin’s own and a missing factor', async () => {
	const [person, admin] = [await account(app.context), await app.signIn('admin')]
	await setUp(person)
	const reset = (id: string) => app.call(users.resetSecondFactor, { params: { id } }, admin)
	const { body } = await app.call(users.list, { query: { page: 1, limit: 10, search: person.email } }, admin)
	assert.equal(body.users[0]?.hasSecondFactor, true)
	assert.equal((await reset(person.userId)).status, 200)
	assert.equal((await app.call(users.me, {}, person)).status, 401)
	assert.equal((await login(person)).status, 200)
	assert.equal((await reset(person.userId)).status, 409)
	assert.equal((await reset(admin.userId)).status, 400)
	const trail = await app.context.db`
		select action, actor_id as actor from admin_actions where subject_id = ${person.userId} order by id
	`
	assert.deepEqual(
		[...trail],
		[
			{ action: 'second-factor-added', actor: Number(person.userId) },
			{ action: 'second-factor-reset', actor: Number(admin.userId) },
		],
	)
})

test('the tables store neither the secret nor a recovery code in plain text', async () => {
	const person = await account(app.context)
	const { secret, recoveryCodes } = await setUp(person)
	const rows = await app.context.db`
		select f.secret, f::text as factor, c::text as code from second_factors f join recovery_codes c using (user_id)
	`
	const stored = rows.map((row) => `${String(row.secret)} ${String(row.factor)} ${String(row.code)}`).join(' ')
	for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
		assert.ok(!stored.includes(text) && !stored.includes(Buffer.from(text).toString('hex')))
	}
})

test('reencryptSecondFactors encrypts with the new key so that the old one can go, and names secrets that no key decrypts', async () => {
	const person = await account(app.context)
	const factor = await setUp(person)
	const [newKey, oldKey] = [Buffer.alloc(32, 9), Buffer.alloc(32, 7)]
	const { db } = app.context
	const blind = await reencryptSecondFactors(db, createVault(newKey))
	assert.ok(blind.reencrypted === 0 && blind.unreadable.includes(person.accountId))
	const { reencrypted, unreadable } = await reencryptSecondFactors(db, createVault(newKey, [oldKey]))
	assert.ok(reencrypted > 0 && unreadable.length === 0)
	const taken = (vault: Vault) => takeCode(db, vault, { userId: Number(person.userId), code: codeOf(factor) })
	await assert.rejects(taken(app.context.vault))
	assert.equal(await taken(createVault(newKey)), 'app')
	await reencryptSecondFactors(db, createVault(oldKey, [newKey]))
})

test('REQUIRE_ADMIN_TOTP limits an admin without a second factor to its setup, and does not concern users', async () => {
	const strict = await startTestApp({ env: { REQUIRE_ADMIN_TOTP: '1' } })
	try {
		const [admin, user] = [await strict.signIn('admin'), await strict.signIn('user')]
		const refused = await strict.call(users.list, {}, admin)
		assert.deepEqual(
			[refused.status, refused.body],
			[403, { message: 'Set up your two-step login first', setUp: '/second-factor' }],
		)
		const { name, email, password } = admin
		for (const answer of [
			await strict.call(auth.sessions, {}, admin),
			await strict.call(users.updateMe, { body: { name, email } }, admin),
			await strict.call(auth.createUser, { body: { name, email: 'x@example.com', password } }, admin),
			await fetch(strict.url + LIVE_PATH, { headers: { authorization: `Bearer ${admin.token}` } }),
		])
			assert.equal(answer.status, 403)
		assert.equal((await strict.call(users.me, {}, admin)).status, 200)
		assert.deepEqual((await strict.call(auth.secondFactor, {}, admin)).body, {
			isOn: false,
			isRequired: true,
			recoveryCodesLeft: 0,
		})
		const { body } = await strict.call(auth.startSecondFactor, { body: { currentPassword: password } }, admin)
		await strict.call(auth.confirmSecondFactor, { body: { code: codeOf(body) } }, admin)
		assert.equal((await strict.call(users.list, {}, admin)).status, 200)
		assert.equal((await strict.call(auth.sessions, {}, user)).status, 200)
	} finally {
		await strict.close()
	}
})
