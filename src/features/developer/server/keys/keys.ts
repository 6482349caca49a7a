import { isIP } from 'node:net'
import { recordOwnChange } from '#features/auth/server/service.ts'
import { TEST_SCOPES, type developer } from '#features/developer/contract.ts'
import { problem } from '#features/developer/problems.ts'
import { AppError } from '#lib/app-error.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { paiseFromRupees } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { CredentialLookups } from '#lib/server/http/credential-lookups.ts'
import type { KeyHolder } from '#lib/server/http/http.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { randomToken, sha256 } from '#lib/server/secrets.ts'
import type { Person } from '../person.ts'
import * as queries from './queries.ts'

const MAX_KEYS = 50

type NewKeyForm = Omit<PartOut<typeof developer.createKey.body>, 'currentPassword' | 'code'>

/**
 * Creates a key, mails the account's user, and returns the key's text, of which only a hash of the secret is stored.
 * Throws a 400 for an invalid form, and a refusal for more than MAX_KEYS keys. Calls `prove` for a valid form; it
 * rejects when the caller's identity is not proved.
 */
export async function createKey(
	db: Db,
	accountId: AccountId,
	{ person, form, prove }: { person: Person; form: NewKeyForm; prove: () => Promise<void> },
): Promise<{ id: number; key: string }> {
	const { name, scopes, expiresAt = null, dayLimitRupees = null, isTest = false } = form
	if (isTest && scopes.some((scope) => !TEST_SCOPES.includes(scope))) throw problem('test_scopes_only')
	const networks = form.networks.map((network) => network.trim())
	const wrong = networks.find((network) => !isNetwork(network))
	if (wrong !== undefined) throw problem('network_invalid', { network: wrong })
	if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw problem('api_key_expired_already')
	await prove()
	const secret = randomToken()
	const id = await retriedTransaction(db, async (sql) => {
		if ((await queries.countKeys(sql, accountId)) >= MAX_KEYS) throw problem('api_keys_full', { most: MAX_KEYS })
		const dayLimitPaise = dayLimitRupees === null ? null : paiseFromRupees(dayLimitRupees)
		const key = {
			name,
			scopes: [...new Set(scopes)],
			networks,
			expiresAt,
			dayLimitPaise,
			isTest,
			secretHash: sha256(secret),
		}
		const made = await queries.insertKey(sql, accountId, key)
		await recordOwnChange(sql, person, {
			action: 'api-key-made',
			details: `"${name}": ${key.scopes.join(', ')}`,
			isMailed: true,
		})
		return made
	})
	return { id, key: `${prefixOf(isTest)}_${id}_${secret}` }
}

/** Returns the prefix of a key's text, which identifies the kind of key in a log or a repository. */
function prefixOf(isTest: boolean): string {
	return isTest ? 'test' : 'wbm'
}

/** Returns true for an IP address or a network in CIDR notation. */
function isNetwork(text: string): boolean {
	const [address = '', bits, ...more] = text.split('/')
	const version = isIP(address)
	if (version === 0 || address.includes('%') || more.length > 0) return false
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Deletes a key. Calls with it are refused from the commit on. */
export async function revokeKey(
	db: Db,
	accountId: AccountId,
	{ person, id }: { person: Person; id: string },
): Promise<void> {
	await retriedTransaction(db, async (sql) => {
		const name = await queries.deleteKey(sql, accountId, id)
		if (name === undefined) throw notFound('API key')
		await recordOwnChange(sql, person, { action: 'api-key-revoked', details: `"${name}"` })
	})
}

const KEY = /^(wbm|test)_([1-9]\d{0,17})_([\w-]{43})$/

/**
 * Returns the key's holder. Rejects with a 401 for an unknown, expired or revoked key, and with a 403 from an address outside
 * its networks.
 */
export type KeyGate = (text: string, address: string) => Promise<KeyHolder>

export function createKeyGate(db: Db): KeyGate {
	const lookups = new CredentialLookups<queries.AskedKey, queries.FoundKey>({
		async look(asked) {
			const found = await queries.findKeysAllAccounts(db, asked)
			return found.map((key) => (key?.isUsable === false ? null : key))
		},
		async onFound({ accountId, isStale, isFromHere }, { id }) {
			// Ignores a failed write: on Citus, every node holds the keys, so they can be read but not written while one node
			// is down.
			if (isStale && isFromHere) await queries.updateLastUsed(db, accountId, id).catch(() => {})
		},
	})
	return async (text, address) => {
		const [, prefix, id, secret] = KEY.exec(text.slice(0, 100)) ?? []
		if (id === undefined || secret === undefined) throw unknownKey()
		const asked = { id, secretHash: sha256(secret), address: plainAddress(address) }
		const name = `${id} ${asked.secretHash.toString('base64')} ${asked.address}`
		const found = await lookups.find(name, asked, networkOf(address))
		if (!found || prefixOf(found.isTest) !== prefix) throw unknownKey()
		if (found.isFromHere)
			return {
				keyId: found.id,
				accountId: found.accountId,
				scopes: found.scopes,
				dayLimitPaise: found.dayLimitPaise,
				isTest: found.isTest,
			}
		throw problem('network_not_allowed', { address })
	}
}

export function unknownKey(): AppError {
	return problem('api_key_invalid')
}

/**
 * Returns an IPv4 address in IPv6 notation (::ffff:192.0.2.1) as an IPv4 address, which IPv4 networks match. A server that
 * listens for IPv4 and IPv6 reports the first form.
 */
function plainAddress(address: string): string {
	return /^::ffff:((?:\d{1,3}\.){3}\d{1,3})$/i.exec(address)?.[1] ?? address
}
