import assert from 'node:assert/strict'
import { test } from 'node:test'
import { users } from '#features/users/contract.ts'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { until } from '#test/until.ts'
import { auth } from '../contract.ts'
import { sendInviteMail, sendResetMail, accountMails } from './mails.ts'

const NO_LONGER = 'This link is no longer valid. Please ask for a new one.'
const password = 'blue kettle 41'

const app = await launchTestApp()
const admin = await app.signIn('admin')
await app.runJobs(accountMails(app.context))

let made = 0
async function invite() {
	const email = `invited${++made}@example.com`
	const body = { name: 'https://evil.example', email, role: 'user' as const }
	const answer = await app.call(auth.inviteUser, { body }, admin)
	assert.equal(answer.status, 200)
	return { email, id: answer.body.user._id }
}

async function mailed(email: string, count: number): Promise<string> {
	await until(async () => (await mailsTo(app.context, email)).length === count)
	return (await mailsTo(app.context, email)).at(-1) ?? ''
}

const choose = (token: string) => app.call(auth.resetPassword, { body: { token, password } })
const login = (email: string, typed = password) => app.call(auth.login, { body: { email, password: typed } })
const originOf = async (id: string) => {
	const [row] = await app.context.db<{ from: string }[]>`select password_from as "from" from users where id = ${id}`
	return row?.from
}

test('auth.inviteUser mails a link by which the user chooses a password once, and the user cannot sign in before', async () => {
	const { email, id } = await invite()
	const mail = await mailed(email, 1)
	assert.match(mail, /^Subject: Choose a password for your account$/m)
	assert.doesNotMatch(mail, /evil/)
	assert.equal(await originOf(id), 'nobody')
	for (const guess of [password, '      ', 'undefined']) assert.equal((await login(email, guess)).status, 401)
	const [link] = await app.context.db<{ hours: number }[]>`
		select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from password_resets where user_id = ${id}
	`
	assert.equal(link?.hours, 72)
	assert.equal((await choose(resetTokenOf(mail))).status, 200)
	assert.equal((await login(email)).status, 200)
	assert.equal(await originOf(id), 'self')
	assert.equal((await choose(resetTokenOf(mail))).body.message, NO_LONGER)
})

test('auth.inviteUser returns 409 for a taken address, and writes nothing', async () => {
	const body = { name: 'Second', email: admin.email, role: 'user' as const }
	assert.equal((await app.call(auth.inviteUser, { body }, admin)).status, 409)
})

test('auth.inviteAgain mails a new link and invalidates the earlier one', async () => {
	const { email, id } = await invite()
	const first = resetTokenOf(await mailed(email, 1))
	assert.equal((await app.call(auth.inviteAgain, { params: { id } }, admin)).status, 200)
	const second = resetTokenOf(await mailed(email, 2))
	assert.equal((await choose(first)).body.message, NO_LONGER)
	assert.equal((await choose(second)).status, 200)
})

test('auth.inviteAgain returns 409 for a user with a password and an inactive one, 404 for an unknown one, and mails nothing', async () => {
	const [settled, inactive] = [await account(app.context), await invite()]
	await mailed(inactive.email, 1)
	await app.context.db`update users set is_active = false where id = ${inactive.id}`
	const statuses = []
	for (const id of [settled.userId, inactive.id, '999999'])
		statuses.push((await app.call(auth.inviteAgain, { params: { id } }, admin)).status)
	assert.deepEqual(statuses, [409, 409, 404])
	await sendInviteMail(app.context, { userId: Number(settled.userId) })
	await sendInviteMail(app.context, { userId: Number(inactive.id) })
	assert.deepEqual(
		[(await mailsTo(app.context, settled.email)).length, (await mailsTo(app.context, inactive.email)).length],
		[0, 1],
	)
})

test('auth.inviteUser mails an invitation to an address that has used up its reset mails of the hour', async () => {
	const { email, id } = await invite()
	await mailed(email, 1)
	for (let n = 0; n < 5; n++) await sendResetMail(app.context, { email })
	const known = (await mailsTo(app.context, email)).length
	await sendInviteMail(app.context, { userId: Number(id) })
	assert.equal((await choose(resetTokenOf(await mailed(email, known + 1)))).status, 200)
})

test('password_from is admin for a password that an admin typed, and self after its user has changed or reset it', async () => {
	const create = (email: string) =>
		app.call(auth.createUser, { body: { name: 'Typed', email, password: 'typed one' } }, admin)
	const [changed, reset] = [await create('changed@example.com'), await create('reset@example.com')]
	assert.deepEqual([await originOf(changed.body.user._id), await originOf(reset.body.user._id)], ['admin', 'admin'])
	const { token } = (await login('changed@example.com', 'typed one')).body
	const me = await app.call(users.me, {}, { token })
	assert.equal(me.body.passwordFrom, 'admin')
	const body = { name: 'Typed', email: 'changed@example.com', currentPassword: 'typed one', newPassword: password }
	const { body: saved } = await app.call(users.updateMe, { body }, { token })
	assert.equal(saved.user.passwordFrom, 'self')
	await sendResetMail(app.context, { email: 'reset@example.com' })
	await choose(resetTokenOf(await mailed('reset@example.com', 1)))
	assert.equal(await originOf(reset.body.user._id), 'self')
})
