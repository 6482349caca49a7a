import { problem } from '#features/developer/problems.ts'
import { AppError } from '#lib/app-error.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { presentAmount } from '../present.ts'
import { addSpent, findSpent } from './day-limit-queries.ts'

/** The key that pays for an order, with its limit per Indian day in paise; null without a limit. */
export interface SpendingKey {
	keyId: number
	dayLimitPaise: number | null
}

/**
 * Adds an amount to a key's spending of the day, in the caller's transaction, after the caller has locked the wallet
 * for the hold. Concurrent transactions of a key wait for each other here. Does nothing for a key without a limit or an
 * amount of 0. Throws a 402 with spending and limit when the sum would exceed the limit.
 */
export async function spend(
	sql: Sql,
	accountId: AccountId,
	{ key, paise }: { key: SpendingKey; paise: number },
): Promise<void> {
	const { keyId, dayLimitPaise: limitPaise } = key
	if (limitPaise === null || paise === 0) return
	const isWithin = paise <= limitPaise && (await addSpent(sql, accountId, { keyId, limitPaise, paise }))
	if (!isWithin)
		throw limitReached({ spentPaise: await findSpent(sql, accountId, keyId), limitPaise, neededPaise: paise })
}

/** Returns the 402 for an order that would exceed the limit. */
export function limitReached(of: { spentPaise: number; limitPaise: number; neededPaise: number }): AppError {
	return problem('day_limit_reached', {
		needed: presentAmount(of.neededPaise),
		spent: presentAmount(of.spentPaise),
		limit: presentAmount(of.limitPaise),
	})
}
