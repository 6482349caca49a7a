import { createHmac, randomBytes } from 'node:crypto'
import type { OwnerId } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'

/** What signs for an address, as it is sealed. */
interface Secrets {
	current: string
	/** Signs too, until then. */
	former?: { secret: string; until: string }
}

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const ROTATION_MS = 24 * 60 * 60 * 1000

/**
 * A new secret, and what is kept of it: after a rotation with the one before, which goes on signing for a day. One that no key
 * opens any more signs nothing, and is replaced.
 */
export function newSecret(vault: Vault, owner: OwnerId, before?: Buffer): { secret: string; sealed: Buffer } {
	const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
	const until = new Date(Date.now() + ROTATION_MS).toISOString()
	const readable = before && tryOpen(vault, owner, before)
	const former = readable && { secret: readable.current, until }
	const secrets: Secrets = { current: secret, ...(former && { former }) }
	return { secret, sealed: vault.seal(owner, JSON.stringify(secrets)) }
}

function open(vault: Vault, owner: OwnerId, sealed: Buffer): Secrets {
	return JSON.parse(vault.open(owner, sealed)) as Secrets
}

function tryOpen(vault: Vault, owner: OwnerId, sealed: Buffer): Secrets | undefined {
	try {
		return open(vault, owner, sealed)
	} catch {
		return undefined
	}
}

/** The headers by which a receiver knows who has sent this: https://www.standardwebhooks.com */
export function signedHeaders(
	vault: Vault,
	owner: OwnerId,
	{ sealed, id, body }: { sealed: Buffer; id: string; body: Buffer },
): Record<string, string> {
	const { current, former } = open(vault, owner, sealed)
	const now = Date.now()
	const secrets = former && Date.parse(former.until) > now ? [current, former.secret] : [current]
	const timestamp = String(Math.floor(now / 1000))
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.`, body)).join(' '),
	}
}

function sign(secret: string, head: string, body: Buffer): string {
	const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
	return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
}
