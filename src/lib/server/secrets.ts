import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountId } from './db.ts'

/**
 * Seals small secrets of accounts with AES-256-GCM. A sealed one names its key, and opens for its own account alone: copied
 * into another account's row, it does not.
 */
export interface Vault {
	seal(accountId: AccountId, text: string): Buffer
	/** Throws for what another account, or a key that is not known here, has sealed. */
	open(accountId: AccountId, sealed: Uint8Array): string
	/** False for what is to be sealed anew: by an older key, or without its account. */
	isCurrent(sealed: Uint8Array): boolean
}

/** What a sealed secret begins with; those from before keys were named begin with their nonce, which is random. */
const MAGIC = Buffer.from('\0wk\u0001', 'latin1')
const KEY_ID_BYTES = 4
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals with `key`, and opens what it or one of the older keys has sealed. Keys are 32 bytes. */
export function createVault(key: Buffer, olderKeys: readonly Buffer[] = []): Vault {
	const keys = [key, ...olderKeys]
	const current = headerOf(key)
	return {
		seal(accountId, text) {
			const nonce = randomBytes(NONCE_BYTES)
			const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(accountOf(accountId))
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
			return Buffer.concat([current, nonce, cipher.getAuthTag(), body])
		},
		open(accountId, sealed) {
			const named = keys.find((each) => headerOf(each).equals(sealed.subarray(0, HEADER_BYTES)))
			if (named) return decrypt(named, sealed.subarray(HEADER_BYTES), accountOf(accountId))
			for (const each of keys) {
				try {
					return decrypt(each, sealed, null)
				} catch {
					// Sealed with another one of the keys.
				}
			}
			throw new Error('No key of this vault opens this secret')
		},
		isCurrent: (sealed) => current.equals(sealed.subarray(0, HEADER_BYTES)),
	}
}

function headerOf(key: Buffer): Buffer {
	return Buffer.concat([MAGIC, createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)])
}

function accountOf(accountId: AccountId): Buffer {
	return Buffer.from(`account ${accountId}`)
}

/** 12 bytes nonce, 16 bytes tag, then the text. */
function decrypt(key: Buffer, sealed: Uint8Array, account: Buffer | null): string {
	const body = NONCE_BYTES + TAG_BYTES
	const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
	if (account) decipher.setAAD(account)
	decipher.setAuthTag(sealed.subarray(NONCE_BYTES, body))
	return Buffer.concat([decipher.update(sealed.subarray(body)), decipher.final()]).toString('utf8')
}

/** An unguessable token, 43 characters that are safe in a URL. */
export function randomToken(): string {
	return randomBytes(32).toString('base64url')
}

export function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest()
}

/** Compares in constant time, whatever the lengths. */
export function sameText(a: string, b: string): boolean {
	return timingSafeEqual(sha256(a), sha256(b))
}

/** Whether `signature` ("sha256=<hex>") is the HMAC of exactly these bytes. */
export function isSignedBy(secret: string, bytes: Buffer, signature: string | undefined): boolean {
	const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
	return signature !== undefined && sameText(expected, signature)
}
