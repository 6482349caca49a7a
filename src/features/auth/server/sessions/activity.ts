import { AccountChange, type AccountEvent } from '#features/auth/contract.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { listActionsOn } from '../audit-queries.ts'
import * as signIns from '../sign-in-queries.ts'
import type { NewSignIn } from '../sign-in-queries.ts'
import { deviceOf } from './present.ts'

const SHOWN_DAYS = 90
/** Of each: sign-ins, failed attempts, changes. Each has its own, so that a flood of guesses hides nothing else. */
const MAX_SHOWN = 50
const MAX_FAILED_PER_DAY = 100

export function recordSignIn(sql: Sql, accountId: AccountId, from: Omit<NewSignIn, 'outcome'>): Promise<void> {
	return signIns.insertSignIn(sql, accountId, { outcome: 'signed-in', ...from })
}

/**
 * Notes an attempt that failed. Nobody waits for it: the answer to a guess must take as long for an address that nobody has.
 * What cannot be written, or comes after a hundred on one day, is in the security log all the same.
 */
export function recordFailedSignIn(db: Db, accountId: AccountId, attempt: NewSignIn): void {
	const record = async () => {
		const failed = await signIns.countFailedSignIns(db, accountId)
		if (failed < MAX_FAILED_PER_DAY) await signIns.insertSignIn(db, accountId, attempt)
	}
	void record().catch(() => {})
}

/** What happened to a person's account lately, the newest first. */
export async function listActivity(
	db: Db,
	{ userId, accountId }: { userId: number; accountId: AccountId },
): Promise<AccountEvent[]> {
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
