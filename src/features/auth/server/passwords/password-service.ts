import { problem } from '#features/auth/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { insertAdminAction } from '../audit-queries.ts'
import { resetMailJob } from '../mails.ts'
import { hashPassword } from '../password-hash.ts'
import type { PasswordPolicy } from '../password-policy.ts'
import type { AccountPrograms, ProgramAccess } from '../programs.ts'
import * as queries from '../queries.ts'
import { findReset, takeReset } from '../reset-queries.ts'
import { mailPerson } from '../security-mails.ts'
import { endAccess, slowDown } from './sign-in-changes.ts'

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
