import {
	changePassword,
	endLinks,
	explainTakenEmail,
	hashNewPassword,
	recordOwnChange,
	type Backoff,
} from '#features/auth/server/service.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import type { Session } from '#lib/server/http.ts'
import type { SecurityEvent } from '#lib/server/security-log.ts'
import type { ProfileBody } from '../contract.ts'
import * as queries from './queries.ts'
import { changedBusiness } from './service.ts'

/** Changes one's own name, address and business details, and the password where a new one is given: all of it, or nothing. Returns what of it concerns security. */
export async function updateProfile(
	context: { db: Db; backoff: Backoff },
	session: Session & { ip: string },
	{ name, email, currentPassword, newPassword, ...business }: ProfileBody,
): Promise<SecurityEvent[]> {
	const wanted = currentPassword && newPassword ? { current: currentPassword, next: newPassword } : null
	const password = wanted && (await hashNewPassword(context, session.userId, wanted))
	return transaction(context.db, async (sql): Promise<SecurityEvent[]> => {
		const before = await queries.lockUser(sql, session.userId)
		if (!before) return []
		await queries.updateUser(sql, before.id, { ...before, ...changedBusiness(before, business), name, email })
		if (password) await changePassword(sql, session, password)
		else if (email !== before.email) await endLinks(sql, before.id)
		if (password) await recordOwnChange(sql, session, { action: 'password-changed' })
		const changed: SecurityEvent[] = password ? ['password.changed'] : []
		if (email === before.email) return changed
		await recordOwnChange(sql, session, { action: 'email-changed', details: `${before.email} → ${email}` })
		return [...changed, 'email.changed']
	}).catch(explainTakenEmail)
}
