import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { findKeyCheck, insertKeyCheck, updateKeyCheck } from './installation-queries.ts'

/** Account id for encryption that concerns no account; ids of accounts begin at 1. */
const NO_ACCOUNT = 0 as AccountId
const CHECK = 'The key of this installation'

const WRONG_KEY =
	'SECRET_KEY is not the key of this database: it opens none of its secrets. Set the key that the database was used with, ' +
	'as SECRET_KEY or among SECRET_KEYS_OLD. If it is lost, `npm run reencrypt` names the accounts whose credentials have to be ' +
	'entered again, and makes SECRET_KEY the key of the database.'

/**
 * Throws when the key does not decrypt the secrets of the database. Stores a check in a database without one, at its first
 * start or after the key has decrypted a secret. `opensSecrets` returns null for a database without secrets.
 */
export async function checkSecretKey(
	sql: Sql,
	vault: Vault,
	opensSecrets: () => Promise<boolean | null>,
): Promise<void> {
	if ((await findKeyCheck(sql)) === null) {
		if ((await opensSecrets()) === false) throw new Error(WRONG_KEY)
		await insertKeyCheck(sql, vault.encrypt(NO_ACCOUNT, CHECK))
	}
	// When several processes start on a new database, the first one's check remains.
	const check = await findKeyCheck(sql)
	if (check === null || !opens(vault, check)) throw new Error(WRONG_KEY)
}

/** Encrypts the check with the current key, whichever key encrypted it before. */
export async function reencryptKeyCheck(sql: Sql, vault: Vault): Promise<void> {
	await updateKeyCheck(sql, vault.encrypt(NO_ACCOUNT, CHECK))
}

function opens(vault: Vault, check: Buffer): boolean {
	try {
		return vault.decrypt(NO_ACCOUNT, check) === CHECK
	} catch {
		return false
	}
}
