import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { createVault } from '#lib/server/secrets.ts'
import type { Credentials as GivenCredentials } from '#simulator/simulator.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp, startTestApp } from '#test/http-app.ts'
import { whatsapp } from '../contract.ts'
import { getSender, stopSender } from './service.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

const save = ({ userId }: TestAccount, body: Partial<GivenCredentials>) =>
	app.call(whatsapp.saveCredentials, { params: { userId }, body: body as GivenCredentials }, admin)
const read = ({ userId }: TestAccount) => app.call(whatsapp.credentials, { params: { userId } }, admin)

test('whatsapp.credentials returns 404 and getSender null when the account has no credentials', async () => {
	const person = await account(app.context)
	const { status, body } = await read(person)
	assert.deepEqual([status, body.message], [404, 'No credentials found for this user'])
	assert.equal(await getSender(app.context.db, app.context.vault, person.accountId), null)
})

test('whatsapp.saveCredentials checks the credentials with Meta, subscribes to webhooks and returns masked secrets', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount({ name: 'Chai & Co', throughput: 'HIGH' })
	const { status, body } = await save(person, given)
	assert.equal(status, 200, body.message)
	assert.equal(body.message, 'Credentials saved successfully')
	assert.deepEqual(body.warnings, [])
	const shown = (await read(person)).body
	assert.deepEqual(shown, body.credentials)
	assert.equal(shown.access_token, `••••••••${given.access_token.slice(-4)}`)
	assert.equal(shown.app_secret, `••••••••${given.app_secret.slice(-4)}`)
	assert.equal(shown.verifiedName, 'Chai & Co')
	assert.equal(shown.messagesPerSecond, 1000)
	assert.ok(shown.webhookUrl.startsWith(`${app.url}/api/webhooks/whatsapp/${person.accountId}-`))
	const sender = await getSender(app.context.db, app.context.vault, person.accountId)
	assert.equal(sender?.accessToken, given.access_token)
	assert.equal(sender?.businessName, 'Chai & Co')
})

test('whatsapp.saveCredentials without an App Secret warns that webhooks are refused, unless META_APP_SECRET verifies them', async () => {
	const person = await account(app.context)
	const given = { ...(await app.simulator.control.createAccount()), app_secret: '' }
	const { status, body } = await save(person, given)
	assert.deepEqual([status, body.warnings.length], [200, 1])
	assert.match(body.warnings[0] ?? '', /^Delivery reports and replies will be refused/)
	app.context.env.META_APP_SECRET = 'deployment secret'
	assert.deepEqual((await save(person, given)).body.warnings, [])
	app.context.env.META_APP_SECRET = undefined
})

test('whatsapp.saveCredentials keeps masked secrets, the webhook address and the verify token', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount()
	const { body: first } = await save(person, given)
	const { access_token, app_secret } = first.credentials
	const { status, body: second } = await save(person, { ...given, access_token, app_secret, app_id: '' })
	assert.equal(status, 200, second.message)
	// Saving reads the limits again.
	const limits = first.credentials.limits && { ...first.credentials.limits, readAt: second.credentials.limits?.readAt }
	assert.deepEqual(second.credentials, { ...first.credentials, app_id: '', limits })
	const sender = await getSender(app.context.db, app.context.vault, person.accountId)
	assert.equal(sender?.accessToken, given.access_token)
	const wrong = await save(person, { ...given, access_token: '••••••••zzzz' })
	assert.deepEqual(
		[wrong.status, wrong.body.message],
		[400, 'Enter the whole Access Token, or leave the masked one as it was'],
	)
})

test('whatsapp.saveCredentials stores neither the access token nor the app secret in plain text', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount()
	await save(person, given)
	const [row] = await app.context.db`select s::text from senders s where account_id = ${person.accountId}`
	const stored = JSON.stringify(row)
	for (const secret of [given.access_token, given.app_secret]) {
		assert.ok(!stored.includes(secret) && !stored.includes(Buffer.from(secret).toString('hex')))
	}
	assert.ok(stored.includes(given.phone_number_id))
})

test('whatsapp.saveCredentials returns 400 with advice and stores nothing for each way in which Meta’s check fails', async () => {
	const { control } = app.simulator
	const person = await account(app.context)
	const [given, other] = [await control.createAccount(), await control.createAccount()]
	const expired = await control.createAccount()
	await control.rejectToken({ token: expired.access_token })
	const cases: [Partial<GivenCredentials>, RegExp][] = [
		[expired, /does not accept this Access Token/],
		[{ ...given, access_token: 'made up' }, /does not accept this Access Token/],
		[{ ...given, access_token: `${given.access_token}\u200b` }, /does not accept this Access Token/],
		[{ ...given, phone_number_id: other.phone_number_id }, /does not show this Phone Number ID/],
		[{ ...given, phone_number_id: '123' }, /does not show this Phone Number ID/],
		[{ ...given, waba_id: '123' }, /does not show this WABA ID/],
		[{ ...given, waba_id: '' }, /WABA ID is required/],
	]
	for (const [body, message] of cases) {
		const answer = await save(person, body)
		assert.equal(answer.status, 400)
		assert.match(answer.body.message ?? '', message)
	}
	assert.equal((await read(person)).status, 404)
})

test('whatsapp.saveCredentials returns 400 when the number belongs to another WABA of the same token', async () => {
	const { control } = app.simulator
	const token = 'one-token-for-two-businesses'
	const [one, other] = [await control.createAccount({ token }), await control.createAccount({ token })]
	const answer = await save(await account(app.context), { ...one, waba_id: other.waba_id })
	assert.equal(answer.status, 400)
	assert.match(answer.body.message ?? '', /does not (belong to|show) this WABA ID/)
})

test('whatsapp.saveCredentials returns another error for an unreachable network than for wrong credentials', async () => {
	const offline = await startTestApp()
	try {
		const [boss, person] = [await offline.signIn('admin'), await offline.signIn('user')]
		const body = { phone_number_id: '1', waba_id: '2', access_token: 'three' }
		const answer = await offline.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body }, boss)
		assert.equal(answer.status, 400)
		assert.match(answer.body.message ?? '', /could not be reached/)
	} finally {
		await offline.close()
	}
})

test('whatsapp.saveCredentials returns 409 for another account’s number, also when called concurrently, until that account is deleted', async () => {
	const given = await app.simulator.control.createAccount()
	const [one, other] = [await account(app.context), await account(app.context)]
	const answers = await Promise.all([save(one, given), save(other, given)])
	assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 409])
	const [winner, loser] = answers[0]?.status === 200 ? [one, other] : [other, one]
	const refused = await save(loser, given)
	assert.equal(refused.body.message, 'This phone number is already used by another account')
	await app.context.db`update users set deleted_at = now() where id = ${winner.userId}`
	assert.equal((await save(loser, given)).status, 200)
})

test('whatsapp.saveCredentials stores the credentials and returns a warning when subscribing to webhooks fails', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount()
	const { env } = app.context
	env.PUBLIC_URL = 'http://127.0.0.1:9'
	const { status, body } = await save(person, given)
	env.PUBLIC_URL = app.url
	assert.equal(status, 200)
	assert.equal(body.warnings.length, 1)
	assert.match(body.warnings[0] ?? '', /Delivery reports and replies will not arrive yet/)
	assert.equal((await read(person)).status, 200)
})

test('whatsapp.saveCredentials resumes a stopped sender', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount()
	await save(person, given)
	const reason = { user: 'The token has expired, ask your administrator', admin: 'The token has expired' }
	assert.equal(await stopSender(app.context.db, person.accountId, reason), true)
	assert.equal(await stopSender(app.context.db, person.accountId, reason), false)
	assert.equal((await read(person)).body.stoppedReason, reason.admin)
	assert.equal((await read(person)).body.waitingCause, null)
	const { body } = await save(person, given)
	assert.equal(body.credentials.stoppedReason, null)
})

test('whatsapp.saveCredentials writes ids and the names of changed secrets, but no secret, to the audit trail', async () => {
	const person = await account(app.context, { name: 'Audited' })
	const given = await app.simulator.control.createAccount()
	const { body } = await save(person, given)
	const { access_token, app_secret } = body.credentials
	await save(person, { ...given, access_token, app_secret })
	const query = { page: 1, limit: 10, search: person.email }
	const trail = await app.call(auth.adminActions, { query }, admin)
	const ids = `phone number ID ${given.phone_number_id}, WABA ID ${given.waba_id}`
	assert.deepEqual(
		trail.body.actions.map(({ action, details }) => [action, details]),
		[
			['credentials-saved', ids],
			['credentials-saved', `${ids}, access token changed, app secret changed`],
		],
	)
	assert.ok(!JSON.stringify(trail.body).includes(given.access_token))
})

test('whatsapp.credentials returns empty secrets when their key is lost, and saveCredentials accepts new ones', async () => {
	const person = await account(app.context)
	const given = await app.simulator.control.createAccount()
	await save(person, given)
	const encrypted = createVault(Buffer.alloc(32, 8)).encrypt(person.accountId, 'something')
	await app.context.db`
		update senders set access_token_sealed = ${encrypted}, app_secret_sealed = ${encrypted} where account_id = ${person.accountId}
	`
	const { status, body } = await read(person)
	assert.deepEqual([status, body.access_token, body.app_secret], [200, '', ''])
	assert.equal((await save(person, given)).status, 200)
	assert.equal((await getSender(app.context.db, app.context.vault, person.accountId))?.accessToken, given.access_token)
})
