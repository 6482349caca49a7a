import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seals small secrets with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. `key` is 32 bytes. */
export interface Vault {
	seal(text: string): Buffer
	open(sealed: Uint8Array): string
}

export function createVault(key: Buffer): Vault {
	return {
		seal(text) {
			const nonce = randomBytes(12)
			const cipher = createCipheriv('aes-256-gcm', key, nonce)
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
			return Buffer.concat([nonce, cipher.getAuthTag(), body])
		},
		open(sealed) {
			const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
			decipher.setAuthTag(sealed.subarray(12, 28))
			return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
		},
	}
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
