import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { insertReset } from '#features/auth/server/reset-queries.ts'
import { users } from '#features/users/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { createLog } from '#lib/server/log.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { account } from './factories.ts'
import { startTestApp, type TestApp } from './http-app.ts'

let app: TestApp
const written: string[] = []

before(async () => {
	app = await startTestApp({ simulator: true, log: createLog('info', { write: (line) => void written.push(line) }) })
})
after(() => app.close())

/**
 * Runs `act`. Returns the lines that it added to the security log: event, user, account, and the fields that distinguish lines
 * of one event.
 */
async function linesOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
	written.length = 0
	await act()
	return written
		.map((line) => JSON.parse(line) as Record<string, unknown>)
		.filter((line) => line.security === true)
		.map(({ event, user, account: accountId, reason, email, target }) => ({
			event,
			user,
			accountId,
			reason,
			email,
			target,
		}))
}

const line = (event: string, rest: Record<string, unknown> = {}) => ({
	event,
	user: undefined,
	accountId: undefined,
	reason: undefined,
	email: undefined,
	target: undefined,
	...rest,
})

test('auth.login writes the user who signed in, and for a failure the user or the masked address', async () => {
	const person = await account(app.context)
	const inactive = await account(app.context, { isActive: false })
	const who = { user: Number(person.userId), accountId: person.accountId }
	const body = { email: person.email, password: person.password }
	assert.deepEqual(await linesOf(() => app.call(auth.login, { body })), [line('sign-in.succeeded', who)])
	const wrong = { ...body, password: 'a guess of mine' }
	assert.deepEqual(await linesOf(() => app.call(auth.login, { body: wrong })), [
		line('sign-in.failed', { ...who, reason: 'wrong-password' }),
	])
	const unknown = { email: 'nobody.known@example.com', password: 'a guess of mine' }
	assert.deepEqual(await linesOf(() => app.call(auth.login, { body: unknown })), [
		line('sign-in.failed', { email: 'n•••@example.com', reason: 'unknown-address' }),
	])
	const refused = { email: inactive.email, password: inactive.password }
	const [failed] = await linesOf(() => app.call(auth.login, { body: refused }))
	assert.deepEqual(
		failed,
		line('sign-in.failed', { user: Number(inactive.userId), accountId: inactive.accountId, reason: 'inactive' }),
	)
})

test('users.updateMe, auth.logout and auth.logoutEverywhere write the changed fields and the ended sessions', async () => {
	const person = await account(app.context)
	const who = { user: Number(person.userId), accountId: person.accountId }
	const { name, password: currentPassword } = person
	const email = 'another.address@example.com'
	const save = (body: object) => () =>
		app.call(users.updateMe, { body: { name, email: person.email, ...body } }, person)
	assert.deepEqual(await linesOf(save({ name: 'Another Name' })), [])
	assert.deepEqual(await linesOf(save({ currentPassword, newPassword: 'brand new words' })), [
		line('password.changed', who),
	])
	assert.deepEqual(await linesOf(save({ email })), [line('email.changed', who)])
	const { body: other } = await app.call(auth.login, { body: { email, password: 'brand new words' } })
	assert.deepEqual(await linesOf(() => app.call(auth.logout, {}, other)), [
		line('sessions.ended', { ...who, reason: 'this one' }),
	])
	assert.deepEqual(await linesOf(() => app.call(auth.logoutEverywhere, {}, person)), [
		line('sessions.ended', { ...who, reason: 'all' }),
	])
})

test('auth.forgot writes the masked address, known or not, and auth.resetPassword writes the user', async () => {
	const person = await account(app.context, { email: 'asker@example.com' })
	for (const email of [person.email, 'unknown@example.com']) {
		assert.deepEqual(await linesOf(() => app.call(auth.forgot, { body: { email } })), [
			line('password-reset.asked', { email: `${email[0]}•••@example.com` }),
		])
	}
	const reset = { tokenHash: sha256('mailed token'), userId: Number(person.userId), seconds: 60, most: 5 }
	await insertReset(app.context.db, reset)
	const body = { token: 'mailed token', password: 'brand new words' }
	assert.deepEqual(await linesOf(() => app.call(auth.resetPassword, { body })), [
		line('password-reset.done', { user: Number(person.userId), accountId: person.accountId }),
	])
})

test('whatsapp.credentials and saveCredentials write the admin and the user whose credentials were read or changed', async () => {
	const [admin, person] = [await app.signIn('admin'), await account(app.context)]
	const who = { user: Number(admin.userId), accountId: admin.accountId, target: person.userId }
	const params = { userId: person.userId }
	const body = await app.simulator.control.createAccount()
	assert.deepEqual(await linesOf(() => app.call(whatsapp.saveCredentials, { params, body }, admin)), [
		line('credentials.changed', who),
		line('admin.acted', who),
	])
	assert.deepEqual(await linesOf(() => app.call(whatsapp.credentials, { params }, admin)), [
		line('credentials.read', who),
	])
})

test('a webhook with a wrong signature writes the account of its address', async () => {
	const [admin, person] = [await app.signIn('admin'), await account(app.context)]
	const body = await app.simulator.control.createAccount()
	const { body: saved } = await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body }, admin)
	const deliver = (secret: string) => () =>
		fetch(saved.credentials.webhookUrl, {
			method: 'POST',
			body: '{}',
			headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update('{}').digest('hex')}` },
		})
	assert.deepEqual(await linesOf(deliver(body.app_secret)), [])
	assert.deepEqual(await linesOf(deliver('another secret')), [line('webhook.refused', { accountId: person.accountId })])
})
