import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { chatHandlers } from '#features/chats/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { isSignedFor, startPushService, type PushService } from '#test/servers/push-service.ts'
import { until } from '#test/until.ts'
import { notifications } from '../contract.ts'
import { notificationOf } from './kinds.ts'
import { pushHandlers } from './push.ts'
import { notify } from './service.ts'

let app: TestApp
let service: PushService
before(async () => {
	service = await startPushService()
	app = await startTestApp({ simulator: true, env: { ALLOW_PRIVATE_TARGETS: '1' } })
	await app.runJobs([...pushHandlers(app.context), ...chatHandlers(app.context)])
})
after(async () => {
	await app.close()
	service.close()
})

async function switchOn(person: TestAccount, withTexts = false) {
	const device = service.subscribe()
	const { status } = await app.call(notifications.saveDevice, { body: { ...device.subscription, withTexts } }, person)
	assert.equal(status, 200)
	return device
}

const completed = notificationOf.campaignCompleted({ id: 7, name: 'Diwali' })
const tell = (person: TestAccount, what = completed) =>
	transaction(app.context.db, (sql) => notify(sql, person.accountId, what))
const jobsLeft = async () => Number((await app.context.db`select count(*)::int as n from jobs`)[0]?.n)

let count = 0
function receive(person: TestAccount, from: string, text: string) {
	count += 1
	const message = { from, id: `wamid.${count}`, timestamp: '1790000000', type: 'text', text: { body: text } }
	const value = { contacts: [{ profile: { name: 'Asha Patel' }, wa_id: from }], messages: [message] }
	return transaction(app.context.db, (sql) => receiveMessages(sql, person.accountId, [value]))
}

test('a completed campaign is pushed only to the account’s own devices, signed with the key that they received', async () => {
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const [own, foreign] = [await switchOn(person), await switchOn(other)]
	await tell(person)
	await until(() => own.shown.length === 1)
	assert.deepEqual(
		own.shown.map(({ body, link }) => [body.replaceAll(/[\u2068\u2069]/g, ''), link]),
		[['Campaign "Diwali" is completed', '/campaign/7']],
	)
	assert.equal(foreign.shown.length, 0)
	const { body } = await app.call(notifications.device, {}, person)
	assert.deepEqual(body.device, { withTexts: false })
	const { authorization } = service.asked.at(-1)?.headers ?? {}
	assert.ok(isSignedFor(authorization, body.publicKey, new URL(own.subscription.endpoint).origin))
})

test('a notification that is not about an ended or stopped campaign is not pushed', async () => {
	const person = await app.signIn('user')
	const device = await switchOn(person)
	await tell(person, notificationOf.welcome())
	await tell(person)
	await until(() => device.shown.length > 0)
	assert.equal(device.shown.length, 1)
})

test('sendPush repeats a push that the service refused temporarily', async () => {
	const person = await app.signIn('user')
	const device = await switchOn(person)
	service.answers.push(503, 429)
	await tell(person)
	await until(() => device.shown.length === 1)
})

test('sendPush deletes a device whose subscription has ended', async () => {
	const person = await app.signIn('user')
	await switchOn(person)
	service.answers.push(410)
	await tell(person)
	await until(async () => (await app.call(notifications.device, {}, person)).body.device === null)
})

test('sendPush sends nothing to a removed device or one whose session has ended', async () => {
	const [off, left] = [await app.signIn('user'), await app.signIn('user')]
	const devices = [await switchOn(off), await switchOn(left)]
	assert.equal((await app.call(notifications.removeDevice, {}, off)).status, 200)
	await app.context.db`delete from sessions where user_id = ${left.userId}`
	await tell(off)
	await tell(left)
	await until(async () => (await jobsLeft()) === 0)
	assert.deepEqual(
		devices.map(({ shown }) => shown.length),
		[0, 0],
	)
	assert.equal((await app.context.db`select 1 from push_devices where account_id = ${left.accountId}`).length, 0)
})

test('messages that arrive together cause one push, with names and texts only on devices that allow them', async () => {
	const person = await app.signIn('user')
	const plain = await switchOn(person)
	const token = await app.context.db`
		insert into sessions (token_hash, user_id, expires_at) values ('\\x01', ${person.userId}, now() + interval '1 hour')
		returning token_hash
	`
	assert.equal(token.length, 1)
	const full = service.subscribe()
	await app.context.db`
		insert into push_devices (account_id, token_hash, endpoint, p256dh, auth, with_texts)
		values (${person.accountId}, '\\x01', ${full.subscription.endpoint}, ${full.subscription.p256dh}, ${full.subscription.auth}, true)
	`
	await receive(person, '919810000001', 'Is it available?')
	await until(() => plain.shown.length === 1 && full.shown.length === 1)
	assert.deepEqual(plain.shown[0]?.body, 'A customer has written to you.')
	assert.deepEqual([full.shown[0]?.title, full.shown[0]?.body], ['Asha Patel', 'Is it available?'])
	await receive(person, '919810000002', 'Hello')
	await receive(person, '919810000003', 'Price?')
	await until(() => plain.shown.length === 2)
	assert.equal(plain.shown[1]?.body, '3 chats have new messages.')
	assert.ok(!JSON.stringify(plain.shown).includes('Asha'))
})

test('notifications.saveDevice returns 400 for an invalid subscription, and keeps the newest 20 devices of an account', async () => {
	const person = await app.signIn('user')
	const { subscription } = service.subscribe()
	for (const wrong of [{ endpoint: 'http://push.example/1' }, { p256dh: 'short' }, { auth: 'x'.repeat(2000) }]) {
		const body = { ...subscription, withTexts: false, ...wrong }
		assert.equal((await app.call(notifications.saveDevice, { body }, person)).status, 400)
	}
	await app.context.db`
		insert into push_devices (account_id, token_hash, endpoint, p256dh, auth, with_texts)
		select ${person.accountId}, int4send(n), 'https://push.example/' || n, '', '', false from generate_series(1, 25) n
	`
	await switchOn(person)
	const [kept] = await app.context.db`
		select count(*)::int as n from push_devices where account_id = ${person.accountId}
	`
	assert.equal(kept?.n, 20)
})

test('sendPush deletes a device with a private address without calling it', async () => {
	const guarded = await startTestApp()
	await guarded.runJobs(pushHandlers(guarded.context))
	const person = await guarded.signIn('user')
	const { subscription } = service.subscribe()
	const asked = service.asked.length
	await guarded.call(notifications.saveDevice, { body: { ...subscription, withTexts: false } }, person)
	await transaction(guarded.context.db, (sql) => notify(sql, person.accountId, completed))
	await until(async () => (await guarded.call(notifications.device, {}, person)).body.device === null)
	assert.equal(service.asked.length, asked)
	await guarded.close()
})
