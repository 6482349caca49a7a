import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { developer } from '#features/developer/contract.ts'
import { users } from '#features/users/contract.ts'
import { transaction } from '#lib/server/db.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { stopClock } from '#test/stop-clock.ts'
import { until } from '#test/until.ts'
import { accountMails, sendResetMail } from '../mails.ts'
import { insertReset, lockResets } from '../reset-queries.ts'

const SAME_ANSWER = 'If this email address has an account, we have sent it a link to reset the password.'
const NO_LONGER = 'This link is no longer valid. Please ask for a new one.'

let app: TestApp
let outbox: string
let asked = 0
before(async () => {
	app = await startTestApp()
	outbox = `${app.context.env.DATA_DIR}/outbox`
	await app.runJobs(accountMails(app.context))
})
after(() => app.close())

/** Calls from a new network address each time, because the number of calls per address is limited. */
async function post(path: string, body: object, ip = `203.0.113.${++asked}`) {
	const response = await fetch(app.url + path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
		body: JSON.stringify(body),
	})
	return { status: response.status, text: await response.text() }
}
/** Returns the mails with a reset link, without the mails that confirm a reset. */
const linksTo = async (email: string) =>
	(await mailsTo(app.context, email)).filter((mail) => mail.includes('Subject: Reset your password'))
const forgot = (email: string, ip?: string) => post(auth.forgot.path, { email }, ip)

async function mailedToken(person: TestAccount): Promise<string> {
	const count = (await linksTo(person.email)).length
	await sendResetMail(app.context, person)
	const mails = await linksTo(person.email)
	assert.equal(mails.length, count + 1)
	return resetTokenOf(mails.at(-1))
}

const reset = (token: string, password = 'brand new') => app.call(auth.resetPassword, { body: { token, password } })

test('auth.resetPassword sets the password once per mailed link and ends every session', async () => {
	const person = await account(app.context, { name: 'आशा राव' })
	assert.deepEqual(await forgot(person.email.toUpperCase()), {
		status: 200,
		text: JSON.stringify({ message: SAME_ANSWER }),
	})
	await until(async () => (await linksTo(person.email)).length === 1)
	const [mail = ''] = await linksTo(person.email)
	assert.match(mail, /^Subject: Reset your password$/m)
	assert.match(mail, /^From: WhatsApp Bulk Message <no-reply@localhost>$/m)
	const token = resetTokenOf(mail)
	const done = await reset(token)
	assert.deepEqual(
		[done.status, done.body],
		[200, { message: 'Your password has been reset. Please log in with the new one.', programs: [] }],
	)
	assert.equal((await app.call(users.me, {}, person)).status, 401)
	assert.equal((await app.call(auth.login, { body: person })).status, 401)
	assert.equal((await app.call(auth.login, { body: { ...person, password: 'brand new' } })).status, 200)
	const again = await reset(token, 'another one')
	assert.deepEqual([again.status, again.body.message], [400, NO_LONGER])
})

test('a mail in DATA_DIR/outbox is readable only by the product’s own user', async () => {
	await mailedToken(await account(app.context))
	const [file = ''] = await readdir(outbox)
	assert.equal((await stat(`${outbox}/${file}`)).mode & 0o077, 0)
	assert.equal((await stat(outbox)).mode & 0o077, 0)
})

test('auth.forgot answers unknown, inactive and deleted addresses like known ones, and mails nothing', async () => {
	const [inactive, gone] = [await account(app.context, { isActive: false }), await account(app.context)]
	await app.context.db`update users set deleted_at = now() where id = ${gone.userId}`
	const person = await account(app.context)
	const emails = ['nobody@example.com', inactive.email, gone.email, person.email]
	for (const email of emails) {
		assert.deepEqual(await forgot(email), { status: 200, text: JSON.stringify({ message: SAME_ANSWER }) })
	}
	await until(async () => (await linksTo(person.email)).length === 1)
	for (const email of emails.slice(0, 3)) assert.deepEqual(await mailsTo(app.context, email), [])
})

test('auth.forgot responds before the look-up of the address, so that its timing is the same for known and unknown addresses', async () => {
	const person = await account(app.context)
	await transaction(app.context.db, async (sql) => {
		await sql`lock table users in access exclusive mode`
		for (const email of [person.email, 'nobody@example.com']) assert.equal((await forgot(email)).status, 200)
	})
})

test('auth.forgot returns 400 with the form’s message for a missing and for an invalid address', async () => {
	assert.match((await forgot('')).text, /"Email is required"/)
	assert.match((await forgot('nobody')).text, /"Invalid email format"/)
})

test('auth.forgot returns 429 when it is repeated, and mails at most five links an hour', async (t) => {
	stopClock(t)
	const person = await account(app.context)
	const answers = []
	for (let n = 0; n < 7; n++) answers.push(await forgot(person.email, '198.51.100.1'))
	assert.deepEqual(
		answers.map((answer) => answer.status),
		[200, 200, 200, 200, 200, 429, 429],
	)
	assert.equal((await forgot('nobody@example.com', '198.51.100.1')).status, 200)
	for (let n = 0; n < 9; n++) await sendResetMail(app.context, person)
	assert.equal((await linksTo(person.email)).length, 5)
})

test('sendResetMail mails no sixth link while a fifth is added concurrently', async () => {
	const { db } = app.context
	const person = await account(app.context)
	for (let n = 0; n < 4; n++) await sendResetMail(app.context, person)
	const state = { isOver: false }
	let sending: Promise<unknown> | undefined
	await transaction(db, async (sql) => {
		const userId = Number(person.userId)
		await lockResets(sql, userId)
		assert.ok(await insertReset(sql, { tokenHash: Buffer.from('fifth'), userId, seconds: 3600, most: 5 }))
		sending = sendResetMail(app.context, person).then(() => (state.isOver = true))
		await until(async () => state.isOver || (await db`select 1 from pg_locks where not granted`).length > 0)
	})
	await sending
	assert.equal((await linksTo(person.email)).length, 4)
})

test('auth.forgot returns 429 to the eleventh call from a network address in a minute', async () => {
	const statuses = []
	for (let n = 0; n < 11; n++) statuses.push((await forgot(`a${n}@example.com`, '198.51.100.2')).status)
	assert.deepEqual(statuses.slice(-2), [200, 429])
})

test('auth.resetPassword returns 400 for a link older than an hour, and for one whose user was deactivated', async () => {
	const { db } = app.context
	const person = await account(app.context)
	const [late, early] = [await mailedToken(person), await mailedToken(person)]
	const [row] = await db<{ minutes: number }[]>`
		select extract(epoch from expires_at - created_at)::float8 / 60 as minutes from password_resets
		where user_id = ${person.userId} limit 1
	`
	assert.equal(row?.minutes, 60)
	await db`update users set is_active = false where id = ${person.userId}`
	assert.equal((await reset(early)).body.message, NO_LONGER)
	await db`update users set is_active = true where id = ${person.userId}`
	await db`update password_resets set expires_at = now() where user_id = ${person.userId}`
	assert.equal((await reset(late)).body.message, NO_LONGER)
})

test('auth.resetPassword keeps the link valid after too short a password, and invalidates all links after a success', async () => {
	const person = await account(app.context)
	const [one, other] = [await mailedToken(person), await mailedToken(person)]
	const short = await reset(one, 'short')
	assert.deepEqual([short.status, short.body.message], [400, 'Password must be at least 6 characters'])
	const answers = await Promise.all([reset(one, 'first one'), reset(other, 'second one')])
	assert.ok(answers.some((answer) => answer.status === 200))
	assert.equal((await reset(one)).status, 400)
	assert.equal((await reset(other)).status, 400)
})

test('auth.resetPassword refuses a token that is too long with the message for an invalid link', async () => {
	const { status, text } = await post(auth.resetPassword.path, { token: 'x'.repeat(101), password: 'brand new' })
	assert.equal(status, 400)
	assert.match(text, new RegExp(`"message":"${NO_LONGER}"`))
})

test('auth.resetPassword returns 400 for a link that was mailed to an address that has since been changed with the password', async () => {
	const person = await account(app.context)
	const token = await mailedToken(person)
	const passwords = { currentPassword: person.password, newPassword: 'brand new' }
	const body = { name: person.name, email: `new.${person.email}`, ...passwords }
	assert.equal((await app.call(users.updateMe, { body }, person)).status, 200)
	assert.equal((await reset(token)).body.message, NO_LONGER)
})

test('auth.resetPassword mails that the password was reset, and returns the keys and webhooks that remain valid', async () => {
	const person = await account(app.context)
	// Uses one network address per call, since each may reset ten passwords a minute.
	const resetFrom = async (password: string) => {
		const { text } = await post(auth.resetPassword.path, { token: await mailedToken(person), password })
		return (JSON.parse(text) as { programs: { kind: string; name: string }[] }).programs
	}
	assert.deepEqual(await resetFrom('brand new'), [])
	const body = { currentPassword: 'brand new', name: 'ERP', scopes: ['account:read' as const] }
	const { token } = (await app.call(auth.login, { body: { email: person.email, password: 'brand new' } })).body
	assert.equal((await app.call(developer.createKey, { body }, { token })).status, 201)
	assert.deepEqual(
		(await resetFrom('newer still')).map(({ kind, name }) => [kind, name]),
		[['api-key', 'ERP']],
	)
	await until(async () => {
		const mails = await mailsTo(app.context, person.email)
		return mails.filter((mail) => mail.includes('Subject: Your password was reset')).length === 2
	})
})
