import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './queries.ts'
import type { EncryptedSecrets } from './queries.ts'
import { decryptSecret, resumeSender, TOKEN_UNREADABLE } from './service.ts'

/**
 * Encrypts the credentials of all accounts with the current key. Secrets that no key of the vault opens remain
 * unchanged, and their accounts are returned as `unreadable`.
 */
export async function reencryptSenders(
	sql: Sql,
	vault: Vault,
): Promise<{ reencrypted: number; unreadable: AccountId[] }> {
	const done: { reencrypted: number; unreadable: AccountId[] } = { reencrypted: 0, unreadable: [] }
	let batch: (EncryptedSecrets & { accountId: AccountId })[] = []
	do {
		batch = await queries.listSecretsAllAccounts(sql, batch.at(-1)?.accountId ?? 0)
		for (const { accountId, ...before } of batch) {
			if ([before.accessToken, before.appSecret].every((encrypted) => !encrypted || vault.isCurrent(encrypted)))
				continue
			const after = reencrypt(vault, accountId, before)
			if (after) {
				await queries.updateSecrets(sql, accountId, { before, after })
				done.reencrypted++
			} else done.unreadable.push(accountId)
		}
	} while (batch.length > 0)
	return done
}

/** Returns the secrets encrypted with the current key; null when one cannot be opened. */
function reencrypt(
	vault: Vault,
	accountId: AccountId,
	{ accessToken, appSecret }: EncryptedSecrets,
): EncryptedSecrets | null {
	const again = (encrypted: Buffer) => vault.encrypt(accountId, vault.decrypt(accountId, encrypted))
	try {
		return { accessToken: again(accessToken), appSecret: appSecret && again(appSecret) }
	} catch {
		return null
	}
}

/**
 * Returns true when the vault opens the access token of any sender; null when there are no senders. Reads the first
 * 1,000.
 */
export async function canDecryptSenders(sql: Sql, vault: Vault): Promise<boolean | null> {
	const senders = await queries.listSecretsAllAccounts(sql, 0)
	if (senders.length === 0) return null
	return senders.some(({ accountId, accessToken }) => decryptSecret(vault, accountId, accessToken) !== null)
}

/** Resumes senders that were stopped because of an unreadable token, when the vault can open it now. */
export async function resumeReadableSenders(sql: Sql, vault: Vault): Promise<void> {
	let last: AccountId | undefined
	do {
		const stopped = await queries.listStoppedAllAccounts(sql, { reason: TOKEN_UNREADABLE.user, after: last ?? 0 })
		for (const { accountId, accessToken } of stopped)
			if (decryptSecret(vault, accountId, accessToken) !== null) await resumeSender(sql, accountId)
		last = stopped.at(-1)?.accountId
	} while (last !== undefined)
}
