import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { createVault } from '#lib/server/secrets.ts'
import { TEST_SECRET_KEY } from '#test/database.ts'
import { startTestApp } from '#test/http-app.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { accept, ALL_EVENTS, launchWebhookScene, numbersOf, refuse } from '#test/scenes/webhook-scene.ts'
import { until } from '#test/until.ts'
import { reencryptAddresses } from './addresses.ts'

const scene = await launchWebhookScene()
const { app } = scene

test('webhooks.create returns a secret that the database does not contain, and list, change and remove manage the address', async () => {
	const person = await app.signIn('user')
	const { status, body } = await scene.add(person)
	assert.equal(status, 201)
	assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
	const [row] = await app.context.db<{ text: string }[]>`
		select encode(secret, 'escape') as text from webhook_addresses where account_id = ${person.accountId}
	`
	assert.ok(row && !row.text.includes(body.secret.slice(6)))
	const changed = { url: 'https://shop.example/other', events: ['wallet.low' as const] }
	const unproved = await app.call(webhooks.change, { params: { id: body.id }, body: changed }, person)
	assert.deepEqual([unproved.status, unproved.body.message], [400, 'Current password is required'])
	assert.equal((await scene.addressesOf(person))[0]?.url, 'https://shop.example/hook')
	const proved = { ...changed, currentPassword: person.password }
	assert.equal((await app.call(webhooks.change, { params: { id: body.id }, body: proved }, person)).status, 200)
	const [listed] = await scene.addressesOf(person)
	assert.deepEqual([listed?.url, listed?.events, listed?.waiting], [changed.url, changed.events, 0])
	assert.equal((await app.call(webhooks.remove, { params: { id: body.id } }, person)).status, 200)
	assert.deepEqual(await scene.addressesOf(person), [])
})

test('webhooks.create refuses an eleventh address, a missing event and an invalid URL', async () => {
	const person = await app.signIn('user')
	for (const body of [
		{ url: 'ftp://shop.example/', events: ALL_EVENTS },
		{ url: 'shop.example', events: ALL_EVENTS },
		{ url: 'https://user:word@shop.example/', events: ALL_EVENTS },
		{ url: 'https://shop.example/#part', events: ALL_EVENTS },
		{ url: `https://shop.example/${'a'.repeat(2000)}`, events: ALL_EVENTS },
		{ url: 'https://shop.example/', events: [] },
	])
		assert.equal((await scene.add(person, body)).status, 400, body.url)
	for (let count = 0; count < 10; count++) assert.equal((await scene.add(person)).status, 201)
	assert.equal((await scene.add(person)).status, 409)
})

test('webhooks.create refuses private addresses and http unless they are allowed', async (t) => {
	const guarded = await startTestApp()
	t.after(() => guarded.close())
	const person = await guarded.signIn('user')
	const own = new URL(guarded.context.env.PUBLIC_URL)
	const NOT_PUBLIC =
		'Enter a public address of your own that begins with https://. Its port is 443, or a number above 1023.'
	guarded.context.env.PUBLIC_URL = 'https://app.example'
	t.after(() => (guarded.context.env.PUBLIC_URL = own.href))
	for (const url of [
		'https://app.example/api',
		'https://APP.example.:8443/',
		'https://shop.example:25/',
		'http://shop.example/',
		'https://127.0.0.1/',
		'https://2130706433/',
		'https://[::ffff:10.0.0.1]/',
	])
		assert.equal(
			(await guarded.call(webhooks.create, { body: { url, events: ALL_EVENTS } }, person)).body.message,
			NOT_PUBLIC,
			url,
		)
})

test('both secrets sign after rotateSecret', async () => {
	const { person, receiver, id, secret } = await scene.subscriber()
	const rotated = await app.call(webhooks.rotateSecret, { params: { id } }, person)
	assert.equal(rotated.status, 200)
	await scene.happen(person, 1)
	await scene.deliver()
	await until(() => receiver.received.length > 0)
	const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
	for (const each of [secret, rotated.body.secret]) new Webhook(each).verify(body, headers as Record<string, string>)
})

test('an address that fails for three days is switched off with a mail to its user, and switched on by webhooks.change', async () => {
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = refuse
	await scene.happen(person, 1)
	await app.context.db`
		update webhook_addresses set failing_since = now() - interval '71 hours' where account_id = ${person.accountId}
	`
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
	assert.equal((await scene.addressesOf(person))[0]?.switchedOffAt, null)
	await app.context.db`
		update webhook_addresses set failing_since = now() - interval '73 hours' where account_id = ${person.accountId}
	`
	const delivery = (await scene.deliveriesOf(person, id)).data[0]?.id ?? ''
	await app.call(webhooks.sendAgain, { params: { id: delivery } }, person)
	await until(async () => (await scene.addressesOf(person))[0]?.switchedOffAt !== null)
	const { data } = await scene.deliveriesOf(person, id)
	assert.deepEqual(
		data.map(({ state, attempts }) => [state, attempts]),
		[['waiting', 2]],
	)
	const { body: listed } = await app.call(notifications.list, {}, person)
	assert.match(listed.notifications[0]?.text ?? '', /was switched off/)
	await until(async () =>
		(await mailsTo(app.context, person.email)).some((mail) => /address\s+was\s+switched\s+off/.test(mail)),
	)
	for (const attempt of [
		app.call(webhooks.sendAgain, { params: { id: delivery } }, person),
		app.call(webhooks.sendTest, { params: { id } }, person),
	])
		assert.equal((await attempt).status, 409)
	await scene.happen(person, 1, { first: 2 })
	const body = { url: receiver.url, events: ALL_EVENTS }
	receiver.answer = accept
	assert.equal((await app.call(webhooks.change, { params: { id }, body }, person)).status, 200)
	await scene.happen(person, 1, { first: 3 })
	await scene.deliver()
	await until(() => receiver.accepted().length > 0)
	await until(() => receiver.accepted().length >= 2)
	assert.deepEqual(numbersOf(receiver), [1, 3])
})

test('an address that answers 410 is switched off immediately', async () => {
	const { person, receiver } = await scene.subscriber()
	receiver.answer = (response) => void response.writeHead(410).end()
	await scene.happen(person, 1)
	await scene.deliver()
	await until(async () => (await scene.addressesOf(person))[0]?.switchedOffAt !== null)
})

test('webhooks.sendTest sends a test event before waiting ones', async () => {
	const { person, receiver, id } = await scene.subscriber(['wallet.low'])
	assert.equal((await app.call(webhooks.sendTest, { params: { id } }, person)).status, 202)
	await until(() => receiver.accepted().length === 1)
	assert.equal(receiver.accepted()[0]?.type, 'test')
})

test('reencryptAddresses encrypts secrets with the new key so that the old one can go, and names secrets that no key decrypts', async () => {
	const { person } = await scene.subscriber()
	const { db } = app.context
	const newKey = Buffer.alloc(32, 9)
	const encrypted = async () => {
		const rows = await db<{ secret: Buffer }[]>`
			select secret from webhook_addresses where account_id = ${person.accountId}
		`
		return rows[0]?.secret ?? Buffer.alloc(0)
	}
	const old = await encrypted()
	const blind = await reencryptAddresses(db, createVault(newKey))
	assert.ok(blind.unreadable.includes(person.accountId))
	assert.deepEqual(await encrypted(), old)
	const { unreadable } = await reencryptAddresses(db, createVault(newKey, [TEST_SECRET_KEY]))
	assert.deepEqual(unreadable, [])
	assert.equal(
		createVault(newKey).decrypt(person.accountId, await encrypted()),
		createVault(TEST_SECRET_KEY).decrypt(person.accountId, old),
	)
})
