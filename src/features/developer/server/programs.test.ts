import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#features/auth/contract.ts'
import { accountMails } from '#features/auth/server/mails.ts'
import { developer } from '#features/developer/contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { until } from '#test/until.ts'

const app = await launchTestApp()
await app.runJobs(accountMails(app.context))

/** Creates a key by a call and returns its text. */
async function addKey(tenant: TestAccount): Promise<string> {
	const body = { name: 'Shop', scopes: ['account:read' as const], currentPassword: tenant.password }
	const answer = await app.call(developer.createKey, { body }, tenant)
	assert.equal(answer.status, 201)
	return answer.body.key
}

const statusOf = async (token: string) => (await app.call(v1.balance, {}, { token })).status

test('developer.createKey and webhooks.create without the current password return 400, write nothing and send no mail', async () => {
	const victim = await app.signIn('user')
	const target = { url: 'https://shop.example/', events: ['message.sent' as const] }
	for (const given of [{}, { currentPassword: '' }, { currentPassword: 'wrong' }, { code: '123456' }]) {
		const key = { name: 'Shop', scopes: ['account:read' as const], ...given }
		assert.equal((await app.call(developer.createKey, { body: key }, victim)).status, 400)
		assert.equal((await app.call(webhooks.create, { body: { ...target, ...given } }, victim)).status, 400)
	}
	assert.deepEqual((await app.call(developer.keys, {}, victim)).body.keys, [])
	assert.deepEqual((await app.call(webhooks.addresses, {}, victim)).body.addresses, [])
	assert.deepEqual(await mailsTo(app.context, victim.email), [])
})

test('developer.createKey accepts a code once instead of the password when the user has a second factor', async () => {
	const tenant = await app.signIn('user')
	const begun = await app.call(auth.startSecondFactor, { body: { currentPassword: tenant.password } }, tenant)
	const { secret } = begun.body
	const codeAt = (steps: number) =>
		new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
	const confirmed = await app.call(auth.confirmSecondFactor, { body: { code: codeAt(0) } }, tenant)
	const body = { name: 'Shop', scopes: ['account:read' as const], code: codeAt(1) }
	const badNetwork = { ...body, networks: ['nowhere'] }
	assert.match((await app.call(developer.createKey, { body: badNetwork }, tenant)).body.message ?? '', /no network/)
	assert.equal((await app.call(developer.createKey, { body }, tenant)).status, 201)
	assert.equal((await app.call(developer.createKey, { body }, tenant)).status, 400)
	const [recovery = ''] = confirmed.body.recoveryCodes
	assert.equal((await app.call(developer.createKey, { body: { ...body, code: recovery } }, tenant)).status, 201)
})

test('developer.revokeAll ends every key and webhook of the account only, and mails its user', async () => {
	const [tenant, other] = [await app.signIn('user'), await app.signIn('user')]
	const keys = [await addKey(tenant), await addKey(tenant)]
	const theirs = await addKey(other)
	const target = { url: 'https://shop.example/', events: ['message.sent' as const], currentPassword: tenant.password }
	assert.equal((await app.call(webhooks.create, { body: target }, tenant)).status, 201)
	const { body } = await app.call(developer.revokeAll, {}, tenant)
	assert.equal(body.message, 'All API keys and webhooks were revoked')
	for (const key of keys) assert.equal(await statusOf(key), 401)
	assert.equal(await statusOf(theirs), 200)
	assert.deepEqual((await app.call(webhooks.addresses, {}, tenant)).body.addresses, [])
	const { activity } = (await app.call(auth.activity, {}, tenant)).body
	assert.equal(activity[0]?.kind, 'programs-revoked')
	for (const subject of ['An API key was made', 'A webhook was added', 'All API keys and webhooks'])
		await until(async () =>
			(await mailsTo(app.context, tenant.email)).some((mail) => mail.includes(`Subject: ${subject}`)),
		)
	const again = await app.call(developer.revokeAll, {}, tenant)
	assert.equal(again.body.message, 'There was nothing to revoke')
})
