import { problem } from '#features/auth/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { insertAdminAction } from '../audit-queries.ts'
import { slowDown } from '../passwords/sign-in-changes.ts'
import * as queries from '../queries.ts'
import { countRecoveryCodes } from '../second-factor-queries.ts'
import { recordFailedSignIn } from '../sessions/activity.ts'
import { fingerprintOf, decryptChallenge, tooLate } from '../sessions/challenge.ts'
import { openSession, type OpenedSession } from '../sessions/sessions.ts'
import { takeCode } from './second-factor-service.ts'

export interface SecondStep {
	challenge: string
	code: string
	userAgent: string
	ip: string
}

interface SecondStepContext {
	db: Db
	vault: Vault
	codeBackoff: Backoff
	onFailed(userId: number): void
}

/**
 * Opens a session for a challenge, which proves the password, and a code: one of the app, or a recovery code. Throws 401 for a
 * wrong code, and for a challenge that has expired or whose user has changed the password or was deactivated.
 */
export async function takeSecondStep(
	{ db, vault, codeBackoff, onFailed }: SecondStepContext,
	{ challenge, code, userAgent, ip }: SecondStep,
): Promise<OpenedSession & { recoveryCodesLeft: number | null }> {
	const { userId, remember, password } = decryptChallenge(vault, challenge)
	const member = await queries.findMember(db, userId)
	const passwordHash = await queries.findPasswordHash(db, userId)
	if (!member?.isActive || passwordHash === undefined || fingerprintOf(passwordHash) !== password) throw tooLate()
	slowDown(codeBackoff, String(userId))
	const { by, token } = await retriedTransaction(db, async (sql) => {
		const taken = await takeCode(sql, vault, { userId, code })
		if (!taken) return { by: null, token: '' }
		if (taken === 'recovery')
			await insertAdminAction(sql, { actorId: userId, subjectId: userId, action: 'recovery-code-used', ip })
		return { by: taken, token: await openSession(sql, userId, { remember, userAgent, ip }) }
	})
	if (!by) {
		recordFailedSignIn(db, member.accountId, { outcome: 'wrong-code', userAgent, ip })
		onFailed(userId)
		throw problem('sign_in_code_wrong')
	}
	codeBackoff.clear(String(userId))
	const recoveryCodesLeft = by === 'recovery' ? await countRecoveryCodes(db, userId) : null
	return { token, member, recoveryCodesLeft }
}
