import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountId } from './db.ts'

/**
 * Encrypts small secrets of accounts with AES-256-GCM. The ciphertext names its key and is bound to its account: copied
 * into another account's row, it does not decrypt.
 */
export interface Vault {
	encrypt(accountId: AccountId, text: string): Buffer
	/** Throws for a secret of another account or of an unknown key. */
	decrypt(accountId: AccountId, encrypted: Uint8Array): string
	/** Returns false when a secret must be encrypted again: it uses an older key or is not bound to its account. */
	isCurrent(encrypted: Uint8Array): boolean
}

/** First bytes of an encrypted secret. Older ones, without a key name, begin with their random nonce. */
const MAGIC = Buffer.from('\0wk\u0001', 'latin1')
const KEY_ID_BYTES = 4
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with `key`, and decrypts with `key` or one of the older keys. Keys have 32 bytes. */
export function createVault(key: Buffer, olderKeys: readonly Buffer[] = []): Vault {
	const keys = [key, ...olderKeys].map((each) => ({ key: each, header: headerOf(each) }))
	const current = headerOf(key)
	return {
		encrypt(accountId, text) {
			const nonce = randomBytes(NONCE_BYTES)
			const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(accountOf(accountId))
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
			return Buffer.concat([current, nonce, cipher.getAuthTag(), body])
		},
		decrypt(accountId, encrypted) {
			const named = keys.find(({ header }) => header.equals(encrypted.subarray(0, HEADER_BYTES)))
			if (named) return decryptWith(named.key, encrypted.subarray(HEADER_BYTES), accountOf(accountId))
			for (const each of keys) {
				try {
					return decryptWith(each.key, encrypted, null)
				} catch {
					// The secret is encrypted with another of the keys.
				}
			}
			throw new Error('No key of this vault decrypts this secret')
		},
		isCurrent: (encrypted) => current.equals(encrypted.subarray(0, HEADER_BYTES)),
	}
}

function headerOf(key: Buffer): Buffer {
	return Buffer.concat([MAGIC, createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)])
}

function accountOf(accountId: AccountId): Buffer {
	return Buffer.from(`account ${accountId}`)
}

/**
 * Decrypts a secret with the layout nonce (12 bytes), tag (16 bytes), ciphertext. `account` is null for the old format,
 * which names no account. Throws for another key or account.
 */
function decryptWith(key: Buffer, encrypted: Uint8Array, account: Buffer | null): string {
	const body = NONCE_BYTES + TAG_BYTES
	const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, NONCE_BYTES), {
		authTagLength: TAG_BYTES,
	})
	if (account) decipher.setAAD(account)
	decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, body))
	return Buffer.concat([decipher.update(encrypted.subarray(body)), decipher.final()]).toString('utf8')
}

/** Returns a random token of 43 URL-safe characters. */
export function randomToken(): string {
	return randomBytes(32).toString('base64url')
}

export function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest()
}

/** Returns true for equal texts. Compares the hashes of both texts in constant time. */
export function sameText(a: string, b: string): boolean {
	return timingSafeEqual(sha256(a), sha256(b))
}

const SIGNATURE_PREFIX = 'sha256='

/** Returns true for a text with the form of a signature, "sha256=" and 64 hexadecimal digits. Compares it with no secret. */
export function isSignature(text: string | undefined): boolean {
	return /^sha256=[0-9a-f]{64}$/.test(text ?? '')
}

/** Returns true when `signature` ("sha256=<hex>") is the HMAC of these bytes. Compares in constant time. */
export function isSignedBy(secret: string, bytes: Buffer, signature: string | undefined): boolean {
	if (signature === undefined || !isSignature(signature)) return false
	const expected = createHmac('sha256', secret).update(bytes).digest()
	const given = Buffer.from(signature.slice(SIGNATURE_PREFIX.length), 'hex')
	return timingSafeEqual(expected, given)
}
