import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { OwnerId } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { findSender, saveSender } from './queries.ts'
import { resealSenders } from './reseal.ts'

const app = await launchTestApp()

const [lost, older, current] = [randomBytes(32), randomBytes(32), randomBytes(32)]

/** An account whose credentials this key has sealed. */
async function sealedBy(key: Buffer, appSecret: string | null): Promise<OwnerId> {
	const { ownerId } = await account(app.context)
	const vault = createVault(key)
	await saveSender(app.context.db, ownerId, {
		phoneNumberId: `1${ownerId}`,
		wabaId: `2${ownerId}`,
		accessTokenSealed: vault.seal(ownerId, `token of ${ownerId}`),
		appId: null,
		appSecretSealed: appSecret === null ? null : vault.seal(ownerId, appSecret),
		webhookKey: `key-${ownerId}`,
		verifyToken: 'verify',
		verifiedName: null,
		businessName: null,
		displayPhoneNumber: null,
		profilePictureUrl: null,
		messagesPerSecond: 80,
	})
	return ownerId
}

test('resealSenders seals everything with the current key, after which the older one is not needed', async () => {
	const { db } = app.context
	const owners = [await sealedBy(older, 'an app secret'), await sealedBy(older, null), await sealedBy(current, null)]
	const unreadable = await sealedBy(lost, null)
	const vault = createVault(current, [older])
	assert.deepEqual(await resealSenders(db, vault), { resealed: 2, unreadable: [unreadable] })
	const alone = createVault(current)
	for (const owner of owners) {
		const sender = await findSender(db, owner)
		assert.equal(alone.open(owner, sender?.accessTokenSealed ?? Buffer.alloc(0)), `token of ${owner}`)
	}
	const first = await findSender(db, owners[0] as OwnerId)
	assert.equal(alone.open(owners[0] as OwnerId, first?.appSecretSealed ?? Buffer.alloc(0)), 'an app secret')
	assert.deepEqual(await resealSenders(db, vault), { resealed: 0, unreadable: [unreadable] })
})

test('a sealed token that is copied into the row of another account does not open there', async () => {
	const { db } = app.context
	const [from, to] = [await sealedBy(current, null), await sealedBy(current, null)]
	const [copied] = await db<{ sealed: Buffer }[]>`
		select access_token_sealed as sealed from senders where account_id = ${from}
	`
	await db`update senders set access_token_sealed = ${copied?.sealed ?? null} where account_id = ${to}`
	const sender = await findSender(db, to)
	assert.throws(() => createVault(current).open(to, sender?.accessTokenSealed ?? Buffer.alloc(0)))
})
