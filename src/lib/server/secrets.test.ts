import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId } from './db.ts'
import { createVault } from './secrets.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]
const [mine, theirs] = [1 as AccountId, 11 as AccountId]

/** Encrypts in the old format (nonce, tag, text), which names neither key nor account. */
function encryptWithoutName(text: string, by: Buffer): Buffer {
	const nonce = randomBytes(12)
	const cipher = createCipheriv('aes-256-gcm', by, nonce)
	const body = Buffer.concat([cipher.update(text), cipher.final()])
	return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

test('a vault decrypts its own output, and encrypts the same text to different bytes each time', () => {
	const vault = createVault(key)
	const [first, second] = [vault.encrypt(mine, 'a token ₹'), vault.encrypt(mine, 'a token ₹')]
	assert.equal(vault.decrypt(mine, first), 'a token ₹')
	assert.notDeepEqual(first, second)
	assert.ok(vault.isCurrent(first))
})

test('a vault does not decrypt a secret for another account, with a changed byte, or cut short', () => {
	const vault = createVault(key)
	const encrypted = vault.encrypt(mine, 'a token')
	assert.throws(() => vault.decrypt(theirs, encrypted))
	for (const at of encrypted.keys()) {
		const changed = Buffer.from(encrypted)
		changed[at] = (changed[at] ?? 0) ^ 1
		assert.throws(() => vault.decrypt(mine, changed), `byte ${at}`)
	}
	for (const length of [0, 8, 19, 35]) assert.throws(() => vault.decrypt(mine, encrypted.subarray(0, length)))
})

test('a vault with a new key decrypts secrets of its older keys, and reports them as not current', () => {
	const encrypted = createVault(other).encrypt(mine, 'a token')
	assert.throws(() => createVault(key).decrypt(mine, encrypted))
	const vault = createVault(key, [randomBytes(32), other])
	assert.equal(vault.decrypt(mine, encrypted), 'a token')
	assert.equal(vault.isCurrent(encrypted), false)
})

test('a vault decrypts the old format without a key name by any of its keys, and reports it as not current', () => {
	const vault = createVault(key, [other])
	for (const by of [key, other]) {
		const encrypted = encryptWithoutName('an old token', by)
		assert.equal(vault.decrypt(mine, encrypted), 'an old token')
		assert.equal(vault.isCurrent(encrypted), false)
	}
})
