import { problem } from '#features/auth/problems.ts'
import { tooManyAttempts } from '#lib/problems.ts'
import type { Db, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { insertAdminAction } from '../audit-queries.ts'
import { resetMailJob } from '../mails.ts'
import { hashPassword, isPassword } from '../password-hash.ts'
import type { PasswordPolicy, PasswordRules } from '../password-policy.ts'
import type { AccountPrograms, ProgramAccess } from '../programs.ts'
import * as queries from '../queries.ts'
import { deleteResets, findReset, takeReset } from '../reset-queries.ts'
import { mailPerson } from '../security-mails.ts'
import { endSessions } from '../sessions/sessions.ts'

/**
 * Queues a reset mail. The job looks the address up, so that neither the answer nor its timing tells whether the address is
 * known.
 */
export async function forgotPassword(
	{ db, backoff }: { db: Db; backoff: Backoff },
	{ email, ip }: { email: string; ip: string },
): Promise<void> {
	slowDown(backoff, `${networkOf(ip)} ${email.toLowerCase()}`)
	await addJobs(db, resetMailJob, [{ email }])
}

/**
 * Sets the password of the token's user, once, and ends all the user's sessions. Returns the user and the account's
 * programs; throws 400 for an invalid token.
 */
export async function resetPassword(
	{ db, env, programs }: { db: Db; env: { PASSWORD_POLICY: PasswordPolicy }; programs: AccountPrograms },
	{ token, password, ip }: { token: string; password: string; ip: string },
): Promise<{ person: queries.Member; programs: ProgramAccess[] }> {
	const tokenHash = sha256(token)
	const refused = problem('link_invalid')
	// Looks the token up before hashing, so that made-up tokens do not cost the time of a hash.
	const userId = await findReset(db, tokenHash)
	const whose = userId === undefined ? undefined : await queries.findMember(db, userId)
	if (userId === undefined || !whose) throw refused
	const passwordHash = await hashPassword(password, { policy: env.PASSWORD_POLICY, person: whose })
	return retriedTransaction(db, async (sql) => {
		const isFirst = await queries.waitsForPassword(sql, userId)
		// Locks the user before the links, in the order of all other transactions, so that none deadlock.
		await queries.updatePassword(sql, userId, passwordHash)
		const person = await queries.findMember(sql, userId)
		if (!person?.isActive || !(await takeReset(sql, userId, tokenHash))) throw refused
		await endAccess(sql, userId)
		await insertAdminAction(sql, { actorId: userId, subjectId: userId, action: 'password-reset', ip })
		if (!isFirst) await mailPerson(sql, userId, 'password-reset')
		return { person, programs: await programs.list(sql, person.accountId, null) }
	})
}

/** Hashes of a user's new password and of the current one, which the user has proved to know. */
export interface NewPassword {
	currentHash: string
	hash: string
}

/** Proves that a signed-in user knows the current password. Returns the hashes for `changePassword`. */
export async function hashNewPassword(
	{ db, backoff, env }: { db: Db; backoff: Backoff; env: { PASSWORD_POLICY: PasswordPolicy } },
	userId: number,
	{ current, next, person }: { current: string; next: string; person: PasswordRules['person'] },
): Promise<NewPassword> {
	const currentHash = await provePassword({ db, backoff }, userId, current)
	const rules = { policy: env.PASSWORD_POLICY, person, field: 'newPassword' } as const
	return { currentHash, hash: await hashPassword(next, rules) }
}

/**
 * Returns the hash of the user's password. Throws 400 when `password` is not the password, and 429 when the attempt
 * comes too early.
 */
export async function provePassword(
	{ db, backoff }: { db: Db; backoff: Backoff },
	userId: number,
	password: string,
): Promise<string> {
	slowDown(backoff, String(userId))
	const hash = await queries.findPasswordHash(db, userId)
	if (!(await isPassword(password, hash)) || hash === undefined) throw problem('current_password_wrong')
	backoff.clear(String(userId))
	return hash
}

/**
 * Stores a new password and ends all sessions except this one. Throws when the current password was changed or reset since it
 * was proved.
 */
export async function changePassword(
	sql: Sql,
	{ userId, tokenHash }: { userId: number; tokenHash: Buffer },
	password: NewPassword,
): Promise<void> {
	if (!(await queries.replacePassword(sql, userId, password))) throw problem('current_password_wrong')
	await endAccess(sql, userId, tokenHash)
}

/** Ends a user's sessions, except `keep`, and deletes the links by which a password can be chosen. */
export async function endAccess(sql: Sql, userId: number, keep: Buffer | null = null): Promise<void> {
	await endSessions(sql, userId, keep)
	await deleteResets(sql, userId)
}

/** Counts an attempt. Throws 429 when it comes too early. */
export function slowDown(backoff: Backoff, key: string): void {
	const wait = backoff.attempt(key)
	if (wait > 0) throw tooManyAttempts(wait)
}
