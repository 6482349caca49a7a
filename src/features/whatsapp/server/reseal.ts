import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './queries.ts'
import type { SealedSecrets } from './queries.ts'
import { openSecret, resumeSender, TOKEN_UNREADABLE } from './sender.ts'

/**
 * Encrypts the credentials of all accounts with the current key. Secrets that no key of the vault opens remain
 * unchanged, and their accounts are returned as `unreadable`.
 */
export async function resealSenders(sql: Sql, vault: Vault): Promise<{ resealed: number; unreadable: AccountId[] }> {
	const done: { resealed: number; unreadable: AccountId[] } = { resealed: 0, unreadable: [] }
	let batch: (SealedSecrets & { accountId: AccountId })[] = []
	do {
		batch = await queries.listSealedAllAccounts(sql, batch.at(-1)?.accountId ?? 0)
		for (const { accountId, ...before } of batch) {
			if ([before.accessToken, before.appSecret].every((sealed) => !sealed || vault.isCurrent(sealed))) continue
			const after = reseal(vault, accountId, before)
			if (after) {
				await queries.updateSealed(sql, accountId, { before, after })
				done.resealed++
			} else done.unreadable.push(accountId)
		}
	} while (batch.length > 0)
	return done
}

/** Returns the secrets encrypted with the current key; null when one cannot be opened. */
function reseal(vault: Vault, accountId: AccountId, { accessToken, appSecret }: SealedSecrets): SealedSecrets | null {
	const again = (sealed: Buffer) => vault.seal(accountId, vault.open(accountId, sealed))
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
export async function opensSenders(sql: Sql, vault: Vault): Promise<boolean | null> {
	const senders = await queries.listSealedAllAccounts(sql, 0)
	if (senders.length === 0) return null
	return senders.some(({ accountId, accessToken }) => openSecret(vault, accountId, accessToken) !== null)
}

/** Resumes senders that were stopped because of an unreadable token, when the vault can open it now. */
export async function resumeReadableSenders(sql: Sql, vault: Vault): Promise<void> {
	let last: AccountId | undefined
	do {
		const stopped = await queries.listStoppedAllAccounts(sql, { reason: TOKEN_UNREADABLE.user, after: last ?? 0 })
		for (const { accountId, accessToken } of stopped)
			if (openSecret(vault, accountId, accessToken) !== null) await resumeSender(sql, accountId)
		last = stopped.at(-1)?.accountId
	} while (last !== undefined)
}
