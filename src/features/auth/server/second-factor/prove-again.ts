import { problem } from '#features/auth/problems.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import type { Db } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { createBackoff, type Backoff } from '#lib/server/http/backoff.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { provePassword, slowDown } from '../passwords/sign-in-changes.ts'
import { takeCode, wrongCode } from './second-factor-service.ts'

/** Longest wait in milliseconds between code attempts, so that a caller who knows the password cannot guess the six digits. */
export const MAX_CODE_WAIT_MS = 15 * MINUTE_MS

/** Proves the identity of a signed-in user. Throws 400 for a wrong proof, 429 for one that comes too early. */
export type ProveAgain = (
	userId: number,
	proof: { currentPassword?: string | undefined; code?: string | undefined },
) => Promise<void>

/** Returns a function that checks the code when one is given, otherwise the current password. */
export function createProveAgain({ db, vault }: { db: Db; vault: Vault }): ProveAgain {
	const passwords = createBackoff(5)
	const codes: Backoff = createBackoff(5, { maxWaitMs: MAX_CODE_WAIT_MS })
	return async (userId, { currentPassword, code }) => {
		if (code) {
			slowDown(codes, String(userId))
			if (!(await retriedTransaction(db, (sql) => takeCode(sql, vault, { userId, code })))) throw wrongCode()
			codes.clear(String(userId))
			return
		}
		if (!currentPassword) throw problem('current_password_missing')
		await provePassword({ db, backoff: passwords }, userId, currentPassword)
	}
}
