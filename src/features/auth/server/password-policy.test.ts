import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { users } from '#features/users/contract.ts'
import { transaction } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { auth } from '../contract.ts'
import { commonPasswords } from './password-policy.ts'
import { insertReset } from './reset-queries.ts'
import { ensureFirstAdmin } from './service.ts'

const COMMON = 'This password is among the most common ones. Choose another one.'
const NAMED = 'This password contains a part of the name, the email or the product’s name. Choose another one.'
const SHORT = 'Password must be at least 8 characters'
const SHORT_FOR_ADMIN = 'The password of an admin must be at least 12 characters'
const STRONG = 'blue kettle 41'

let strict: TestApp
let specified: TestApp
before(async () => {
	;[strict, specified] = await Promise.all([
		startTestApp({ env: { PASSWORD_POLICY: 'strict' } }),
		startTestApp({ env: { PASSWORD_POLICY: 'specified' } }),
	])
})
after(() => Promise.all([strict.close(), specified.close()]))

interface Answered {
	status: number
	body: { message?: string }
}

/** Calls one of the endpoints that set a password with a password for Asha Rao, user or admin. */
type SetPassword = (app: TestApp, password: string, role: 'admin' | 'user') => Promise<Answered>

let made = 0
const someone = (app: TestApp, role: 'admin' | 'user') =>
	account(app.context, { name: 'Asha Rao', email: `shop${++made}@rao-textiles.in`, password: STRONG, role })

async function linkOf(app: TestApp, { userId }: TestAccount): Promise<string> {
	const token = `link ${++made}`
	const link = { tokenHash: sha256(token), userId: Number(userId), seconds: 60, most: 5 }
	await transaction(app.context.db, (sql) => insertReset(sql, link))
	return token
}

const setters: Record<string, SetPassword> = {
	async createUser(app, password, role) {
		const body = { name: 'Asha Rao', email: `shop${++made}@rao-textiles.in`, password, role }
		return app.call(auth.createUser, { body }, await someone(app, 'admin'))
	},
	async resetPassword(app, password, role) {
		const token = await linkOf(app, await someone(app, role))
		return app.call(auth.resetPassword, { body: { token, password } })
	},
	async updateMe(app, password, role) {
		const person = await someone(app, role)
		const { name, email } = person
		const body = { name, email, currentPassword: STRONG, newPassword: password }
		return app.call(users.updateMe, { body }, person)
	},
}

for (const [name, setPassword] of Object.entries(setters)) {
	test(`${name} under PASSWORD_POLICY=strict refuses common words, words of the name, fewer than 8 characters, and fewer than 12 for admins`, async () => {
		const refusals: [string, 'admin' | 'user', string][] = [
			['kettl 7', 'user', SHORT],
			['PassWord', 'user', COMMON],
			['my-asha-5', 'user', NAMED],
			['Textiles#77', 'user', NAMED],
			['whatsapp wala', 'user', NAMED],
			['kettle 41 x', 'admin', SHORT_FOR_ADMIN],
		]
		for (const [password, role, message] of refusals) {
			const { status, body } = await setPassword(strict, password, role)
			assert.deepEqual([password, status, body.message], [password, 400, message])
		}
		assert.equal((await setPassword(strict, 'kettl 41', 'user')).status, 200)
		assert.equal((await setPassword(strict, STRONG, 'admin')).status, 200)
	})

	test(`${name} under PASSWORD_POLICY=specified accepts any six characters`, async () => {
		for (const password of ['123456', 'asha rao'])
			assert.equal((await setPassword(specified, password, 'admin')).status, 200)
		const { status, body } = await setPassword(specified, '12345', 'user')
		assert.deepEqual([status, body.message], [400, 'Password must be at least 6 characters'])
	})
}

test('a password that the policy refuses leaves the reset link valid and the current password unchanged', async () => {
	const person = await someone(strict, 'user')
	const token = await linkOf(strict, person)
	assert.equal((await strict.call(auth.resetPassword, { body: { token, password: '123456' } })).status, 400)
	assert.equal((await strict.call(auth.login, { body: person })).status, 200)
	assert.equal((await strict.call(auth.resetPassword, { body: { token, password: 'green kettle' } })).status, 200)
})

test('ensureFirstAdmin under PASSWORD_POLICY=strict refuses a weak ADMIN_PASSWORD by its name, and creates no admin', async () => {
	const fresh = await startTestApp({ env: { PASSWORD_POLICY: 'strict', ADMIN_EMAIL: 'boss@example.com' } })
	const start = (password: string) =>
		ensureFirstAdmin({ ...fresh.context, env: { ...fresh.context.env, ADMIN_PASSWORD: password } })
	try {
		await assert.rejects(start('123456'), {
			message: `ADMIN_PASSWORD cannot be used: ${SHORT_FOR_ADMIN}`,
		})
		await assert.rejects(start('1qaz2wsx3edc'), { message: `ADMIN_PASSWORD cannot be used: ${COMMON}` })
		assert.equal((await fresh.context.db`select 1 from users`).length, 0)
		await start(STRONG)
		assert.equal((await fresh.context.db`select 1 from users`).length, 1)
	} finally {
		await fresh.close()
	}
})

test('commonPasswords returns the same 10,000 passwords of six characters or more to every caller', async () => {
	const words = await commonPasswords()
	assert.equal(words.size, 10_000)
	assert.ok([...words].every((word) => word.length >= 6 && word === word.toLowerCase()))
	assert.equal(await commonPasswords(), words)
})
