import { problem } from '#features/auth/problems.ts'
import { tooManyAttempts } from '#lib/problems.ts'
import type { Db, Sql } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import * as emails from '../email-change-queries.ts'
import { emailChangedJob } from '../mails.ts'
import { hashPassword, isPassword } from '../password-hash.ts'
import type { PasswordPolicy, PasswordRules } from '../password-policy.ts'
import * as queries from '../queries.ts'
import { deleteResets } from '../reset-queries.ts'
import { endSessions } from '../sessions/sessions.ts'

/** Days for which the address before an unproved change can sign in and undo the change. */
const OBJECTION_DAYS = 7

/** Proof that the account's user wants the change: the password, an admin, or none. */
type Proof = 'password' | 'admin' | 'none'

/** Throws 409 when a user other than `except` signs in with this address. Call it under `lockUsers`. */
export async function refuseTakenEmail(sql: Sql, email: string, except: number | null): Promise<void> {
	if (await emails.isTaken(sql, email, except)) throw problem('email_taken')
}

/**
 * Changes a user's address and mails the last proved address, which keeps its rights through several unproved changes. A
 * change back to the last proved address closes the change and its links, and sends no mail. Throws 409 for an address with
 * which another user signs in. Call it under `lockUsers`.
 */
export async function changeEmail(
	sql: Sql,
	{ userId, email, proof }: { userId: number; email: string; proof: Proof },
): Promise<void> {
	const before = await emails.lockAddresses(sql, userId)
	if (!before || email === before.email) return
	await refuseTakenEmail(sql, email, userId)
	if (isSame(email, before.email)) return emails.respellEmail(sql, userId, email)
	const proved = before.provedEmail ?? before.email
	const isReturn = isSame(email, proved)
	if (proof === 'none' && !isReturn) {
		await emails.setUnprovedEmail(sql, userId, {
			email,
			provedEmail: proved,
			since: before.unprovedSince ?? (await getNow(sql)),
			days: OBJECTION_DAYS,
		})
	} else {
		await emails.setProvedEmail(sql, userId, email)
		await emails.closeEmailLinks(sql, userId, { outcome: isReturn ? 'undone' : 'replaced' })
		await deleteResets(sql, userId)
	}
	if (!isReturn) await addJobs(sql, emailChangedJob, [{ userId, to: proved, proof }])
}

/** Returns true for two spellings of one address. */
export function isSame(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase()
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
