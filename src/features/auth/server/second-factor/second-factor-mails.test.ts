import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { codeOf, setUpFactor } from '#test/scenes/second-factor.ts'
import { until } from '#test/until.ts'
import { accountMails } from '../mails.ts'

const app = await launchTestApp()
await app.runJobs(accountMails(app.context))

/** Waits for the mail with this subject and returns it. */
async function mailOf(email: string, subject: string): Promise<string> {
	const all = async () => (await mailsTo(app.context, email)).filter((mail) => mail.includes(`Subject: ${subject}`))
	await until(async () => (await all()).length > 0)
	const mails = await all()
	assert.equal(mails.length, 1)
	return mails[0] ?? ''
}

const SET_UP = 'Two-step login was set up for your account'
const REMOVED = 'Two-step login of your account was removed'
const RESET = 'Two-step login of your account was reset'

const changeEmail = (person: TestAccount, email: string) =>
	app.call(users.updateMe, { body: { name: person.name, email } }, person)

test('setting up and removing a second factor each send a mail without text that a user typed', async () => {
	const person = await account(app.context, { name: 'Open https://evil.example now' })
	const factor = await setUpFactor(app, person)
	const setUp = await mailOf(person.email, SET_UP)
	const body = { currentPassword: person.password, code: codeOf(factor) }
	assert.equal((await app.call(auth.removeSecondFactor, { body }, person)).status, 200)
	const removed = await mailOf(person.email, REMOVED)
	for (const mail of [setUp, removed]) assert.match(mail, /If that was not you/)
	for (const mail of await mailsTo(app.context, person.email)) assert.ok(!/evil|http/.test(mail))
})

test('users.resetSecondFactor by an admin sends its user a mail', async () => {
	const [person, admin] = [await account(app.context), await app.signIn('admin')]
	await setUpFactor(app, person)
	assert.equal((await app.call(users.resetSecondFactor, { params: { id: person.userId } }, admin)).status, 200)
	assert.match(await mailOf(person.email, RESET), /An administrator has removed/)
})

test('mails about a second factor go only to the old address while a change of email is unproved', async () => {
	const person = await account(app.context)
	assert.equal((await changeEmail(person, 'not-mine@example.com')).status, 200)
	await setUpFactor(app, person)
	await mailOf(person.email, SET_UP)
	assert.deepEqual(await mailsTo(app.context, 'not-mine@example.com'), [])
})

test('a failed setup or removal of a second factor sends no mail', async () => {
	const person = await account(app.context)
	const { body } = await app.call(auth.startSecondFactor, { body: { currentPassword: person.password } }, person)
	assert.equal((await app.call(auth.confirmSecondFactor, { body: { code: '000000' } }, person)).status, 400)
	assert.equal((await app.call(auth.confirmSecondFactor, { body: { code: codeOf(body) } }, person)).status, 200)
	const wrong = { currentPassword: person.password, code: '000000' }
	assert.equal((await app.call(auth.removeSecondFactor, { body: wrong }, person)).status, 400)
	await mailOf(person.email, SET_UP)
	assert.equal((await mailsTo(app.context, person.email)).length, 1)
})
