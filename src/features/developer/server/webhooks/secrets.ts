import { createHmac, randomBytes } from 'node:crypto'
import { DAY_MS } from '#lib/durations.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'

/** Signing secrets of an address, in the form in which they are encrypted. */
interface Secrets {
	current: string
	/** Previous secret, which also signs until this time. */
	former?: { secret: string; until: string }
}

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const ROTATION_MS = DAY_MS

/**
 * Returns a new secret and its encrypted form. After a rotation, the encrypted form includes the previous secret, which also
 * signs for a day, unless no key decrypts it.
 */
export function newSecret(vault: Vault, accountId: AccountId, before?: Buffer): { secret: string; encrypted: Buffer } {
	const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
	const until = new Date(Date.now() + ROTATION_MS).toISOString()
	const readable = before && tryDecrypt(vault, accountId, before)
	const former = readable && { secret: readable.current, until }
	const secrets: Secrets = { current: secret, ...(former && { former }) }
	return { secret, encrypted: vault.encrypt(accountId, JSON.stringify(secrets)) }
}

function tryDecrypt(vault: Vault, accountId: AccountId, encrypted: Buffer): Secrets | undefined {
	try {
		return JSON.parse(vault.decrypt(accountId, encrypted)) as Secrets
	} catch {
		return undefined
	}
}

/**
 * Returns the headers that prove the sender to a receiver (https://www.standardwebhooks.com); null when no key decrypts the
 * secret.
 */
export function signedHeaders(
	vault: Vault,
	accountId: AccountId,
	{ encrypted, id, body }: { encrypted: Buffer; id: string; body: Buffer },
): Record<string, string> | null {
	const secrets = tryDecrypt(vault, accountId, encrypted)
	if (!secrets) return null
	const { current, former } = secrets
	const now = Date.now()
	const signing = former && Date.parse(former.until) > now ? [current, former.secret] : [current]
	const timestamp = String(Math.floor(now / 1000))
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': signing.map((secret) => sign(secret, `${id}.${timestamp}.`, body)).join(' '),
	}
}

function sign(secret: string, head: string, body: Buffer): string {
	const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
	return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
}
