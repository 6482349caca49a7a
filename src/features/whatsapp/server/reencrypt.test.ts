import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { checkSecretKey, reencryptKeyCheck } from '#features/auth/server/installation/secret-key.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { UNKNOWN_BILLING } from '../rules.ts'
import { findSender, saveSender } from './queries.ts'
import { canDecryptSenders, reencryptSenders, resumeReadableSenders } from './reencrypt.ts'
import { stopSender, TOKEN_UNREADABLE } from './service.ts'

const app = await launchTestApp()

const [lost, older, current] = [randomBytes(32), randomBytes(32), randomBytes(32)]

/** Creates an account whose credentials are encrypted with this key. */
async function encryptedBy(key: Buffer, appSecret: string | null): Promise<AccountId> {
	const { accountId } = await account(app.context)
	const vault = createVault(key)
	await saveSender(app.context.db, accountId, {
		phoneNumberId: `1${accountId}`,
		wabaId: `2${accountId}`,
		encryptedAccessToken: vault.encrypt(accountId, `token of ${accountId}`),
		appId: null,
		encryptedAppSecret: appSecret === null ? null : vault.encrypt(accountId, appSecret),
		webhookKey: `key-${accountId}`,
		verifyToken: 'verify',
		verifiedName: null,
		businessName: null,
		displayPhoneNumber: null,
		profilePictureUrl: null,
		messagesPerSecond: 80,
		...UNKNOWN_BILLING,
	})
	return accountId
}

test('reencryptSenders encrypts all secrets with the current key, after which the older key is not needed', async () => {
	const { db } = app.context
	const accountIds = [
		await encryptedBy(older, 'an app secret'),
		await encryptedBy(older, null),
		await encryptedBy(current, null),
	]
	const unreadable = await encryptedBy(lost, null)
	const vault = createVault(current, [older])
	assert.deepEqual(await reencryptSenders(db, vault), { reencrypted: 2, unreadable: [unreadable] })
	const alone = createVault(current)
	for (const accountId of accountIds) {
		const sender = await findSender(db, accountId)
		assert.equal(alone.decrypt(accountId, sender?.encryptedAccessToken ?? Buffer.alloc(0)), `token of ${accountId}`)
	}
	const first = await findSender(db, accountIds[0] as AccountId)
	assert.equal(alone.decrypt(accountIds[0] as AccountId, first?.encryptedAppSecret ?? Buffer.alloc(0)), 'an app secret')
	assert.deepEqual(await reencryptSenders(db, vault), { reencrypted: 0, unreadable: [unreadable] })
})

test('a token copied into the row of another account cannot be decrypted there', async () => {
	const { db } = app.context
	const [from, to] = [await encryptedBy(current, null), await encryptedBy(current, null)]
	const [copied] = await db<{ encrypted: Buffer }[]>`
		select access_token_sealed as encrypted from senders where account_id = ${from}
	`
	await db`update senders set access_token_sealed = ${copied?.encrypted ?? null} where account_id = ${to}`
	const sender = await findSender(db, to)
	assert.throws(() => createVault(current).decrypt(to, sender?.encryptedAccessToken ?? Buffer.alloc(0)))
})

test('checkSecretKey accepts the first key that opens an older database’s senders, and then refuses every other', async () => {
	const { db } = app.context
	await db`insert into installation (kind) values ('production')`
	await db`delete from senders`
	const check = (key: Buffer, olderKeys: Buffer[] = []) => {
		const vault = createVault(key, olderKeys)
		return checkSecretKey(db, vault, () => canDecryptSenders(db, vault))
	}
	await encryptedBy(current, null)
	await assert.rejects(check(lost), /SECRET_KEY is not the key of this database/)
	await check(current)
	await check(current)
	await assert.rejects(check(lost), /SECRET_KEY is not the key of this database/)
	await check(lost, [current])
	// Does what `npm run reencrypt` does after a change of the key.
	await reencryptKeyCheck(db, createVault(lost, [current]))
	await check(lost)
	await assert.rejects(check(current), /SECRET_KEY is not the key of this database/)
})

test('resumeReadableSenders resumes senders stopped by an unreadable token that can be decrypted now, and no others', async () => {
	const { db } = app.context
	const [readable, unreadable, other] = [
		await encryptedBy(current, null),
		await encryptedBy(lost, null),
		await encryptedBy(current, null),
	]
	for (const accountId of [readable, unreadable]) await stopSender(db, accountId, TOKEN_UNREADABLE)
	await stopSender(db, other, { user: 'Blocked', admin: 'Blocked' })
	await resumeReadableSenders(db, createVault(current))
	const reasons = await Promise.all(
		[readable, unreadable, other].map(async (accountId) => (await findSender(db, accountId))?.stoppedReason),
	)
	assert.deepEqual(reasons, [null, TOKEN_UNREADABLE.user, 'Blocked'])
})
