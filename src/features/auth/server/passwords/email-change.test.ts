import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { developer } from '#features/developer/contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { users, type ProfileBody } from '#features/users/contract.ts'
import { DAY_MS } from '#lib/durations.ts'
import { account, colleague, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { stopClock } from '#test/stop-clock.ts'
import { until } from '#test/until.ts'
import { accountMails, sendResetMail } from '../mails.ts'

const NO_LONGER = 'This link is no longer valid. Please ask for a new one.'

const app = await launchTestApp()
await app.runJobs(accountMails(app.context))

const change = (person: TestAccount, email: string, more: Partial<ProfileBody> = {}) =>
	app.call(users.updateMe, { body: { name: person.name, email, ...more } }, person)
const profileOf = async (person: TestAccount) => (await app.call(users.me, {}, person)).body
const signIn = async (email: string, password = 'correct horse') =>
	(await app.call(auth.login, { body: { email, password } })).status
const undo = (token: string) => app.call(auth.undoEmailChange, { body: { token } })
const agree = (token: string) => app.call(auth.agreeEmailChange, { body: { token } })
const stateOf = async (token: string) => (await app.call(auth.emailChange, { body: { token } })).body

const mailsOf = async (email: string, subject: string) =>
	(await mailsTo(app.context, email)).filter((mail) => mail.includes(`Subject: ${subject}`))

/** Returns the token of the `n`th mail that notified this address of a change. */
async function tokenTo(email: string, n = 1): Promise<string> {
	await until(async () => (await mailsOf(email, 'Your email address was changed')).length >= n)
	const mail = (await mailsOf(email, 'Your email address was changed'))[n - 1] ?? ''
	const [undoing, agreeing] = [...mail.matchAll(/\/email-change\/(undo|agree)#([\w-]{43})$/gm)]
	assert.deepEqual([undoing?.[1], agreeing?.[1], undoing?.[2]], ['undo', 'agree', agreeing?.[2]])
	return undoing?.[2] ?? ''
}

const expire = (person: TestAccount) =>
	app.context.db`update users set email_unproved_until = now() where id = ${person.userId}`

test('users.updateMe without a password changes the address immediately, and both addresses sign in', async () => {
	const person = await account(app.context)
	const answer = await change(person, 'fresh@example.com')
	assert.equal(answer.status, 200)
	assert.equal(answer.body.user.email, 'fresh@example.com')
	const { pendingEmail } = await profileOf(person)
	assert.equal(pendingEmail?.oldEmail, person.email)
	const days = (new Date(pendingEmail?.until ?? 0).getTime() - Date.now()) / DAY_MS
	assert.ok(days > 6.9 && days <= 7)
	assert.deepEqual([await signIn('Fresh@example.com'), await signIn(person.email)], [200, 200])
})

test('auth.forgot mails the link only to the address before an unproved change, whichever of the two is typed', async () => {
	const person = await account(app.context)
	await change(person, 'thief@example.com')
	await sendResetMail(app.context, { email: 'thief@example.com' })
	await sendResetMail(app.context, person)
	const subject = 'Reset your password'
	const kept = await mailsOf(person.email, subject)
	assert.equal(kept.length, 2)
	assert.match(kept[0] ?? '', /was changed a few days ago/)
	assert.deepEqual(await mailsOf('thief@example.com', subject), [])
})

test('auth.resetPassword accepts a link that was mailed before an unproved change', async () => {
	const person = await account(app.context)
	await sendResetMail(app.context, person)
	await change(person, 'thief2@example.com')
	const [mail = ''] = await mailsOf(person.email, 'Reset your password')
	const token = resetTokenOf(mail)
	const { status } = await app.call(auth.resetPassword, { body: { token, password: 'brand new' } })
	assert.equal(status, 200)
	assert.equal(await signIn(person.email, 'brand new'), 200)
})

test('mails contain neither a name nor an address that a user typed', async () => {
	const name = 'You won! Open https://evil.example now'
	const person = await account(app.context, { name })
	await change(person, 'https//evil.example/@evil.example')
	await tokenTo(person.email)
	await sendResetMail(app.context, person)
	const outbox = `${app.context.env.DATA_DIR}/outbox`
	const mails = await Promise.all((await readdir(outbox)).map((file) => readFile(`${outbox}/${file}`, 'utf8')))
	assert.ok(mails.some((mail) => mail.includes(`To: ${person.email}\n`)))
	assert.ok(mails.every((mail) => !mail.includes('evil.example')))
})

test('auth.undoEmailChange restores the old address, ends all sessions, and works once', async () => {
	const person = await account(app.context)
	await change(person, 'undone@example.com')
	const token = await tokenTo(person.email)
	assert.deepEqual(await stateOf(token), { state: 'open', newEmail: 'undone@example.com', madeSince: [] })
	assert.equal((await undo(token)).status, 200)
	assert.equal((await app.call(users.me, {}, person)).status, 401)
	assert.deepEqual([await signIn('undone@example.com'), await signIn(person.email)], [401, 200])
	assert.deepEqual(await stateOf(token), { state: 'undone', newEmail: null, madeSince: [] })
	for (const again of [await undo(token), await agree(token)]) {
		assert.deepEqual([again.status, again.body.message], [400, NO_LONGER])
	}
})

test('auth.agreeEmailChange leaves only the new address, and keeps the sessions', async () => {
	const person = await account(app.context)
	await change(person, 'agreed@example.com')
	const token = await tokenTo(person.email)
	assert.equal((await agree(token)).status, 200)
	assert.equal((await profileOf(person)).pendingEmail, null)
	assert.deepEqual([await signIn('agreed@example.com'), await signIn(person.email)], [200, 401])
	assert.equal((await stateOf(token)).state, 'agreed')
	assert.equal((await undo(token)).status, 400)
	const trail = await app.context.db`select action from admin_actions where subject_id = ${person.userId} order by id`
	assert.deepEqual([...trail], [{ action: 'email-changed' }, { action: 'email-confirmed' }])
})

test('an unproved change leaves only the new address after seven days, and its link says that it has expired', async () => {
	const person = await account(app.context)
	await change(person, 'week@example.com')
	const token = await tokenTo(person.email)
	await expire(person)
	assert.deepEqual([await signIn('week@example.com'), await signIn(person.email)], [200, 401])
	assert.equal((await profileOf(person)).pendingEmail, null)
	assert.deepEqual(await stateOf(token), { state: 'expired', newEmail: null, madeSince: [] })
	assert.equal((await undo(token)).status, 400)
	assert.equal((await account(app.context, { email: person.email })).email, person.email)
})

test('the link of the first of two changes undoes to the last proved address, and cannot agree to the second change', async () => {
	const person = await account(app.context)
	await change(person, 'second@example.com')
	const first = await tokenTo(person.email)
	await change(person, 'third@example.com')
	const second = await tokenTo(person.email, 2)
	assert.equal(await signIn('second@example.com'), 401)
	assert.equal((await agree(first)).status, 400)
	assert.deepEqual(await stateOf(second), { state: 'open', newEmail: 'third@example.com', madeSince: [] })
	assert.equal((await undo(first)).status, 200)
	assert.equal(await signIn(person.email), 200)
	assert.equal((await stateOf(second)).state, 'undone')
})

test('users.updateMe with the current password proves the new address immediately, and mails the old one', async () => {
	const person = await account(app.context)
	const passwords = { currentPassword: person.password, newPassword: 'brand new' }
	assert.equal((await change(person, 'proved@example.com', passwords)).status, 200)
	assert.equal((await profileOf(person)).pendingEmail, null)
	assert.equal(await signIn(person.email, 'brand new'), 401)
	await until(async () => (await mailsOf(person.email, 'Your email address was changed')).length === 1)
	const [mail = ''] = await mailsOf(person.email, 'Your email address was changed')
	assert.match(mail, /by somebody who knows its password/)
})

test('auth.undoEmailChange after a change of the password restores the address and keeps the new password', async () => {
	const person = await account(app.context)
	await change(person, 'later@example.com')
	const token = await tokenTo(person.email)
	const passwords = { currentPassword: person.password, newPassword: 'brand new' }
	assert.equal((await change(person, 'later@example.com', passwords)).status, 200)
	assert.equal((await undo(token)).status, 200)
	assert.deepEqual(
		[await signIn(person.email, 'brand new'), await signIn('later@example.com', 'brand new')],
		[200, 401],
	)
})

test('users.updateMe back to the old address closes the change and its links', async () => {
	const person = await account(app.context)
	await change(person, 'there@example.com')
	const token = await tokenTo(person.email)
	await change(person, person.email)
	assert.equal((await profileOf(person)).pendingEmail, null)
	assert.equal((await stateOf(token)).state, 'undone')
	assert.equal(await signIn('there@example.com'), 401)
})

test('an admin’s change of the address is proved immediately, replaces an unproved change, and mails the old address', async () => {
	const [person, admin] = [await account(app.context), await app.signIn('admin')]
	await change(person, 'unproved@example.com')
	const token = await tokenTo(person.email)
	const body = { name: person.name, email: 'byadmin@example.com', role: 'user', isActive: true } as const
	assert.equal((await app.call(users.update, { params: { id: person.userId }, body }, admin)).status, 200)
	assert.equal((await profileOf(person)).pendingEmail, null)
	assert.equal((await stateOf(token)).state, 'replaced')
	assert.deepEqual([await signIn(person.email), await signIn('byadmin@example.com')], [401, 200])
	await until(async () => (await mailsOf(person.email, 'Your email address was changed')).length === 2)
	assert.match((await mailsOf(person.email, 'Your email address was changed'))[1] ?? '', /by an administrator/)
})

test('users.updateMe refuses both addresses of another account’s unproved change, also to concurrent calls', async () => {
	const [person, other, admin] = [await account(app.context), await account(app.context), await app.signIn('admin')]
	await change(person, 'mine@example.com')
	for (const email of [person.email.toUpperCase(), 'mine@example.com']) {
		assert.equal((await change(other, email)).status, 409)
		const body = { name: 'Twin', email, password: 'secret' }
		assert.equal((await app.call(auth.createUser, { body }, admin)).status, 409)
		const edit = { name: other.name, email, role: 'user', isActive: true } as const
		assert.equal((await app.call(users.update, { params: { id: other.userId }, body: edit }, admin)).status, 409)
	}
	const people = await Promise.all(Array.from({ length: 4 }, () => account(app.context)))
	const answers = await Promise.all(people.map((each) => change(each, 'race@example.com')))
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
})

test('the deletion of a user frees both addresses, and invalidates the mailed link', async () => {
	const [person, admin] = [await account(app.context), await app.signIn('admin')]
	await change(person, 'gone@example.com')
	const token = await tokenTo(person.email)
	await app.call(users.remove, { params: { id: person.userId } }, admin)
	assert.equal((await app.call(auth.emailChange, { body: { token } })).body.message, NO_LONGER)
	assert.equal((await undo(token)).status, 400)
	for (const email of [person.email, 'gone@example.com']) assert.ok(await account(app.context, { email }))
})

test('one of two concurrent links takes effect, an undo or an agreement', async () => {
	const person = await account(app.context)
	await change(person, 'either@example.com')
	const token = await tokenTo(person.email)
	const answers = await Promise.all([undo(token), agree(token)])
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
})

test('users.updateMe returns 429 to a sixth change of the address, refused ones included', async (t) => {
	stopClock(t)
	const [person, other] = [await account(app.context), await account(app.context)]
	const statuses = []
	for (let n = 0; n < 6; n++)
		statuses.push((await change(person, n % 2 ? other.email : `probe${n}@example.com`)).status)
	assert.deepEqual(statuses, [200, 409, 200, 409, 200, 429])
	assert.equal((await change(person, 'probe4@example.com', { name: 'Renamed' })).status, 200)
})

test('auth.emailChange returns 400 for a token that was never issued', async () => {
	const { status, body } = await app.call(auth.emailChange, { body: { token: 'x'.repeat(43) } })
	assert.deepEqual([status, body.message], [400, NO_LONGER])
})

const namesOf = (programs: { name: string }[]) => programs.map(({ name }) => name).toSorted()

test('auth.undoEmailChange revokes the keys and webhooks made or renewed since the first change, and keeps the earlier ones', async () => {
	const person = await account(app.context)
	const target = { url: 'https://shop.example/', events: ['message.sent' as const] }
	const proved = { currentPassword: person.password }
	const addKey = (name: string) =>
		app.call(developer.createKey, { body: { ...proved, name, scopes: ['account:read'] } }, person)
	const addHook = (url: string) => app.call(webhooks.create, { body: { ...target, ...proved, url } }, person)
	const kept = await addKey('kept')
	await addHook('https://kept.example/')
	const renewed = await addHook('https://renewed.example/')
	await change(person, 'intruder1@example.com')
	const token = await tokenTo(person.email)
	await addKey('made')
	await change(person, 'intruder2@example.com')
	const moved = { ...target, ...proved, url: 'https://evil.example/' }
	assert.equal((await app.call(webhooks.change, { params: { id: renewed.body.id }, body: moved }, person)).status, 200)
	const { madeSince } = await stateOf(token)
	assert.deepEqual(namesOf(madeSince), ['https://evil.example/', 'made'])
	const { body } = await undo(token)
	assert.deepEqual(namesOf(body.revoked), ['https://evil.example/', 'made'])
	assert.deepEqual(namesOf(body.remaining), ['https://kept.example/', 'kept'])
	assert.equal((await app.call(v1.balance, {}, { token: kept.body.key })).status, 200)
	const rows = await app.context.db`select 1 from webhook_addresses where account_id = ${person.accountId}`
	assert.equal(rows.length, 1)
})

test('auth.undoEmailChange removes the colleagues invited since the change, and keeps the earlier ones', async () => {
	const person = await account(app.context)
	const earlier = await colleague(app.context, person, 'agent')
	await change(person, 'intruder3@example.com')
	const later = await colleague(app.context, person, 'manager')
	assert.equal((await undo(await tokenTo(person.email))).status, 200)
	const statuses = [earlier, later].map(async (one) => (await app.call(users.me, {}, one)).status)
	assert.deepEqual(await Promise.all(statuses), [200, 401])
	const recorded = await app.context.db<{ subject: string }[]>`
		select subject_email as subject from admin_actions
		where action = 'colleague-removed' and actor_id = ${person.userId}
	`
	assert.deepEqual(
		recorded.map(({ subject }) => subject),
		[later.email],
	)
})

test('users.updateMe with a new address and a new password mails the previous address', async () => {
	const person = await account(app.context)
	const passwords = { currentPassword: person.password, newPassword: 'an even newer one' }
	await change(person, 'moved@example.com', passwords)
	await until(async () => (await mailsOf(person.email, 'Your password was changed')).length === 1)
})
