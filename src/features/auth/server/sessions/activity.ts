import { AccountChange, type AccountEvent } from '#features/auth/contract.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { listActionsOn } from '../audit-queries.ts'
import { findAccount } from '../queries.ts'
import { deviceOf } from './present.ts'
import * as signIns from './sign-in-queries.ts'
import type { NewSignIn } from './sign-in-queries.ts'

const SHOWN_DAYS = 90
/**
 * Maximum number of shown sign-ins, failed attempts and changes, each counted separately so that a flood of guesses hides
 * nothing else.
 */
const MAX_SHOWN = 50
const MAX_FAILED_PER_DAY = 100

export function recordSignIn(sql: Sql, accountId: AccountId, from: Omit<NewSignIn, 'outcome'>): Promise<void> {
	return signIns.insertSignIn(sql, accountId, { outcome: 'signed-in', ...from })
}

/**
 * Records a failed attempt without making the caller wait, so that an answer takes as long as for an unknown address. The
 * security log has every attempt. An attempt that could not be written, or after 100 on one day, is missing here.
 */
export function recordFailedSignIn(db: Db, accountId: AccountId, attempt: NewSignIn): void {
	const record = async () => {
		const failed = await signIns.countFailedSignIns(db, accountId)
		if (failed < MAX_FAILED_PER_DAY) await signIns.insertSignIn(db, accountId, attempt)
	}
	void record().catch(() => {})
}

/** Returns a user's recent sign-ins and changes of their own account, newest first. */
export async function listActivity(db: Db, userId: number): Promise<AccountEvent[]> {
	const accountId = await findAccount(db, userId)
	if (accountId === undefined) return []
	const recent = { days: SHOWN_DAYS, limit: MAX_SHOWN }
	const [opened, failed, changes] = await Promise.all([
		signIns.listSignIns(db, accountId, { ...recent, hasFailed: false }),
		signIns.listSignIns(db, accountId, { ...recent, hasFailed: true }),
		listActionsOn(db, userId, { ...recent, actions: AccountChange.options }),
	])
	const attempts = [...opened, ...failed].map(({ id, outcome, userAgent, ip, at }) => ({
		_id: `sign-in ${id}`,
		kind: outcome,
		device: deviceOf(userAgent),
		ip,
		at: at.toISOString(),
	}))
	const changed = changes.map(({ id, action, ip, at }) => ({
		_id: `change ${id}`,
		kind: action,
		device: null,
		ip,
		at: at.toISOString(),
	}))
	return [...attempts, ...changed].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
}
