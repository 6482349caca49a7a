import { createHmac, randomBytes } from 'node:crypto'
import { ERASED_PREFIX, formsOf } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { reencrypt, type Reencrypted } from '#lib/server/reencrypt.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './erased-queries.ts'

/**
 * Returns the pseudonym that replaces an erased number: a keyed hash, equal for equal numbers and useless without the
 * key.
 */
export function erasedForm(key: Buffer, text: string): string {
	return `${ERASED_PREFIX}${createHmac('sha256', key).update(text).digest('hex').slice(0, 32)}`
}

/** Returns the erased forms by text. Empty, without hashing, while the account has erased no person. */
export async function erasedForms(
	sql: Sql,
	accountId: AccountId,
	texts: readonly string[],
): Promise<Map<string, string>> {
	const found = texts.length > 0 ? await queries.findKey(sql, accountId) : undefined
	if (!found?.isUsed) return new Map()
	const key = decryptKey(sql, accountId, found.encrypted)
	return new Map(texts.map((text) => [text, erasedForm(key, text)]))
}

/**
 * Returns the erased numbers among `numbers`, which must not receive messages, with the erased form under which each is
 * opted out.
 */
export async function listErased(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<Map<string, string>> {
	const forms = await erasedForms(sql, accountId, numbers.flatMap(formsOf))
	if (forms.size === 0) return forms
	const known = new Set(await queries.listOptedOutForms(sql, accountId, [...forms.values()]))
	const stored = (number: string) =>
		formsOf(number)
			.map((form) => forms.get(form) ?? '')
			.find((form) => known.has(form))
	return new Map(
		numbers.flatMap((number) => {
			const form = stored(number)
			return form === undefined ? [] : [[number, form] as const]
		}),
	)
}

/** Returns the account's erasure key, which the first call creates. */
export async function ensureKey(sql: Sql, accountId: AccountId, vault: Vault): Promise<Buffer> {
	const encrypted = vault.encrypt(accountId, randomBytes(32).toString('base64'))
	return decryptKey(sql, accountId, await queries.ensureKey(sql, accountId, encrypted))
}

/**
 * Records that a person of the account is being erased, so that claims check for erased people. Returns the function that
 * replaces a text with its erased form.
 */
export async function startErasure(sql: Sql, accountId: AccountId, vault: Vault): Promise<(text: string) => string> {
	const key = await ensureKey(sql, accountId, vault)
	await queries.markKeyUsed(sql, accountId)
	return (text) => erasedForm(key, text)
}

function decryptKey(sql: Sql, accountId: AccountId, encrypted: Buffer): Buffer {
	if (!sql.vault) throw new Error('This pool was opened without a vault, and cannot know who was erased')
	return Buffer.from(sql.vault.decrypt(accountId, encrypted), 'base64')
}

/** Re-encrypts the erasure keys of all accounts with the current secret. */
export function reencryptErasureKeys(sql: Sql, vault: Vault): Promise<Reencrypted> {
	return reencrypt<queries.EncryptedKey>(vault, {
		list: (last) => queries.listKeysAllAccounts(sql, last?.accountId ?? 0),
		update: ({ accountId, encrypted }, after) => queries.updateKey(sql, accountId, { before: encrypted, after }),
	})
}
