import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { accountMails } from '#features/auth/server/mails.ts'
import { users } from '#features/users/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { createLog } from '#lib/server/log.ts'
import { identifier } from '#lib/server/statement.ts'
import { account } from './factories.ts'
import { startTestApp, type TestApp } from './http-app.ts'
import { mailsTo, resetTokenOf } from './readers/outbox.ts'
import { until } from './until.ts'

let app: TestApp
const logged: string[] = []
/** Values that must never be stored or logged in plain text, by name. */
const secrets: Record<string, string> = {}

before(async () => {
	app = await startTestApp({
		simulator: true,
		log: createLog('trace', { write: (line) => void logged.push(line) }),
	})
	await app.runJobs(accountMails(app.context))
	await useEverySecret()
})
after(() => app.close())

/** Makes every call that receives or returns a secret: sign-ins, changed and reset passwords, saved credentials. */
async function useEverySecret(): Promise<void> {
	const admin = await app.signIn('admin')
	const person = await account(app.context, { password: 'first secret word' })
	const { body: session } = await app.call(auth.login, { body: person })
	await app.call(auth.login, { body: { ...person, password: 'mistyped secret word' } })
	const { name, email } = person
	const passwords = { currentPassword: person.password, newPassword: 'second secret word' }
	await app.call(users.updateMe, { body: { name, email, ...passwords } }, session)
	await app.call(auth.forgot, { body: { email } })
	const tokens = async () => (await mailsTo(app.context, email)).map(resetTokenOf).filter(Boolean)
	await until(async () => (await tokens()).length > 0)
	const [token = ''] = await tokens()
	const credentials = await app.simulator.control.createAccount()
	await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body: credentials }, admin)
	await app.call(whatsapp.credentials, { params: { userId: person.userId } }, admin)
	await app.call(whatsapp.saveCredentials, { params: { userId: '999' }, body: credentials }, admin)
	Object.assign(secrets, {
		'a session token': session.token,
		'the admin’s session token': admin.token,
		'a password': person.password,
		'a mistyped password': 'mistyped secret word',
		'a new password': passwords.newPassword,
		'the token of a reset link': token,
		'an access token': credentials.access_token,
		'an app secret': credentials.app_secret,
	})
}

test('a log at level trace contains no token, password or app secret after every call that handles one', () => {
	app.context.log.info({ token: secrets['a session token'], nested: { password: secrets['a password'] } }, 'on purpose')
	const text = logged.join('')
	assert.match(text, /on purpose/)
	for (const [what, secret] of Object.entries(secrets)) {
		assert.ok(secret.length >= 10, `${what} is missing`)
		assert.ok(!text.includes(secret), `${what} is in the log`)
	}
})

test('no table stores a secret in plain text, hex or base64', async () => {
	const { db } = app.context
	const tables = await db<{ schema: string; name: string }[]>`
		select table_schema as schema, table_name as name from information_schema.tables
		where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
	`
	assert.ok(['sessions', 'jobs'].every((expected) => tables.some(({ name }) => name === expected)))
	let text = ''
	for (const { schema, name } of tables) {
		const rows = await db<{ row: string }[]>`select t::text as row from ${identifier(schema)}.${identifier(name)} t`
		text += rows.map(({ row }) => row).join('\n')
	}
	assert.match(text, /\$argon2id\$/)
	for (const [what, secret] of Object.entries(secrets)) {
		assert.ok(!text.includes(secret), `${what} is in the database`)
		const hidden = [Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
		for (const form of hidden) assert.ok(!text.includes(form), `${what} is in the database in hex or base64`)
	}
})
