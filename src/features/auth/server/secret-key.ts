import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { findKeyCheck, insertKeyCheck, updateKeyCheck } from './installation-queries.ts'

/** Encrypted for no account: ids of accounts begin at 1. */
const NO_ACCOUNT = 0 as AccountId
const CHECK = 'The key of this installation'

const WRONG_KEY =
	'SECRET_KEY is not the key of this database: it opens none of its secrets. Set the key that the database was used with, ' +
	'as SECRET_KEY or among SECRET_KEYS_OLD. If it is lost, `npm run reseal` names the accounts whose credentials have to be ' +
	'entered again, and makes SECRET_KEY the key of the database.'

/**
 * Throws where the key does not open the secrets of the database. A database without a check gets one: at its first start, or
 * from a key that opens its secrets. `opensSecrets` is null for a database without any.
 */
export async function checkSecretKey(
	sql: Sql,
	vault: Vault,
	opensSecrets: () => Promise<boolean | null>,
): Promise<void> {
	if ((await findKeyCheck(sql)) === null) {
		if ((await opensSecrets()) === false) throw new Error(WRONG_KEY)
		await insertKeyCheck(sql, vault.seal(NO_ACCOUNT, CHECK))
	}
	// Of several processes that start at once on a new database, the first decides.
	const check = await findKeyCheck(sql)
	if (check === null || !opens(vault, check)) throw new Error(WRONG_KEY)
}

/** Encrypts the check with the current key, whatever it was encrypted with before. */
export async function resealKeyCheck(sql: Sql, vault: Vault): Promise<void> {
	await updateKeyCheck(sql, vault.seal(NO_ACCOUNT, CHECK))
}

function opens(vault: Vault, check: Buffer): boolean {
	try {
		return vault.open(NO_ACCOUNT, check) === CHECK
	} catch {
		return false
	}
}
