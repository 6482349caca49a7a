import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './queries.ts'
import type { SealedSecrets } from './queries.ts'
import { openSecret, resumeSender, TOKEN_UNREADABLE } from './sender.ts'

/** Seals the credentials of all accounts with the current key, where they are not. Those that no key opens stay as they are. */
export async function resealSenders(sql: Sql, vault: Vault): Promise<{ resealed: number; unreadable: OwnerId[] }> {
	const done: { resealed: number; unreadable: OwnerId[] } = { resealed: 0, unreadable: [] }
	let batch: (SealedSecrets & { owner: OwnerId })[] = []
	do {
		batch = await queries.listSealedAllOwners(sql, batch.at(-1)?.owner ?? 0)
		for (const { owner, ...before } of batch) {
			if ([before.accessToken, before.appSecret].every((sealed) => !sealed || vault.isCurrent(sealed))) continue
			const after = reseal(vault, owner, before)
			if (after) {
				await queries.updateSealed(sql, owner, { before, after })
				done.resealed++
			} else done.unreadable.push(owner)
		}
	} while (batch.length > 0)
	return done
}

/** Null when a secret does not open. */
function reseal(vault: Vault, owner: OwnerId, { accessToken, appSecret }: SealedSecrets): SealedSecrets | null {
	const again = (sealed: Buffer) => vault.seal(owner, vault.open(owner, sealed))
	try {
		return { accessToken: again(accessToken), appSecret: appSecret && again(appSecret) }
	} catch {
		return null
	}
}

/** Returns whether a key of the vault opens the access token of any sender; null without senders. Reads the first 1,000. */
export async function opensSenders(sql: Sql, vault: Vault): Promise<boolean | null> {
	const senders = await queries.listSealedAllOwners(sql, 0)
	if (senders.length === 0) return null
	return senders.some(({ owner, accessToken }) => openSecret(vault, owner, accessToken) !== null)
}

/** Resumes the senders that were stopped by an unreadable token, where a key of the vault opens it now. */
export async function resumeReadableSenders(sql: Sql, vault: Vault): Promise<void> {
	let last: OwnerId | undefined
	do {
		const stopped = await queries.listStoppedAllOwners(sql, { reason: TOKEN_UNREADABLE.owner, after: last ?? 0 })
		for (const { owner, accessToken } of stopped)
			if (openSecret(vault, owner, accessToken) !== null) await resumeSender(sql, owner)
		last = stopped.at(-1)?.owner
	} while (last !== undefined)
}
