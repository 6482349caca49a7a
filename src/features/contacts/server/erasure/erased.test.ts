import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createVault } from '#lib/server/secrets.ts'
import { TEST_SECRET_KEY } from '#test/database.ts'
import { launchTestApp } from '#test/http-app.ts'
import { findKey, insertErased, markKeyUsed } from './erased-queries.ts'
import { ensureKey, erasedForm, listErased, reencryptErasureKeys } from './erased.ts'

const NUMBER = '919876543210'

const app = await launchTestApp()

test('listErased returns the erased numbers of its account only, and does not hash before the first erasure', async () => {
	const { db, vault } = app.context
	const [{ accountId }, { accountId: other }] = [await app.signIn('user'), await app.signIn('user')]
	const form = erasedForm(await ensureKey(db, accountId, vault), NUMBER)
	await ensureKey(db, other, vault)
	await insertErased(db, accountId, [form])
	assert.equal((await listErased(db, accountId, [NUMBER])).size, 0)
	await markKeyUsed(db, accountId)
	await markKeyUsed(db, other)
	assert.deepEqual([...(await listErased(db, accountId, ['919876543211', NUMBER]))], [[NUMBER, form]])
	assert.equal((await listErased(db, other, [NUMBER])).size, 0)
})

test('reencryptErasureKeys encrypts keys with the new secret, and the hashes stay the same without the old secret', async () => {
	const { db, vault } = app.context
	const { accountId } = await app.signIn('user')
	const key = await ensureKey(db, accountId, vault)
	const secret = randomBytes(32)
	const blind = await reencryptErasureKeys(db, createVault(secret))
	assert.ok(blind.reencrypted === 0 && blind.unreadable.includes(accountId))
	assert.ok((await reencryptErasureKeys(db, createVault(secret, [TEST_SECRET_KEY]))).reencrypted > 0)
	const found = await findKey(db, accountId)
	assert.equal(createVault(secret).decrypt(accountId, found?.encrypted ?? Buffer.alloc(0)), key.toString('base64'))
})
