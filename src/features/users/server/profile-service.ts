import {
	changeEmail,
	changePassword,
	hashNewPassword,
	slowDown,
} from '#features/auth/server/passwords/sign-in-changes.ts'
import { lockUsers, updateUser } from '#features/auth/server/queries.ts'
import { recordOwnChange } from '#features/auth/server/service.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { type Backoff } from '#lib/server/http/backoff.ts'
import type { Session } from '#lib/server/http/http.ts'
import type { SecurityEvent } from '#lib/server/http/security-log.ts'
import type { ProfileBody } from '../contract.ts'
import * as queries from './queries.ts'
import { changedBusiness, type UsersContext } from './service.ts'

export interface ProfileContext {
	db: Db
	env: UsersContext['env']
	/** Slows down guesses at the current password. */
	backoff: Backoff
	/** Slows down changes of the address, since each tells whether the address is taken and reserves it. */
	emailBackoff: Backoff
}

/**
 * Changes the user's own name, address and business details, and the password when a new one is given, in one
 * transaction. Returns the changes that the security log records; none for a deleted user.
 */
export async function updateProfile(
	context: ProfileContext,
	session: Session & { ip: string },
	{ name, email, currentPassword, newPassword, ...business }: ProfileBody,
): Promise<SecurityEvent[]> {
	const wanted =
		currentPassword && newPassword
			? { current: currentPassword, next: newPassword, person: { name, email, role: session.role } }
			: null
	const password = wanted && (await hashNewPassword(context, session.userId, wanted))
	return transaction(context.db, async (sql): Promise<SecurityEvent[]> => {
		await lockUsers(sql)
		const before = await queries.lockUser(sql, session.userId)
		if (!before) return []
		await updateUser(sql, before.id, { ...before, ...changedBusiness(before, business), name })
		// Records the change of the password before the address changes, so that its mail goes to the former address.
		if (password) await recordOwnChange(sql, session, { action: 'password-changed', isMailed: true })
		if (email !== before.email) {
			slowDown(context.emailBackoff, String(before.id))
			await changeEmail(sql, { userId: before.id, email, proof: password ? 'password' : 'none' })
		}
		if (password) await changePassword(sql, session, password)
		const changed: SecurityEvent[] = password ? ['password.changed'] : []
		if (email === before.email) return changed
		await recordOwnChange(sql, session, { action: 'email-changed', details: `${before.email} → ${email}` })
		return [...changed, 'email.changed']
	})
}
