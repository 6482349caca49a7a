import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { presentAmount } from '../present.ts'
import { addSpent, findSpent } from './day-limit-queries.ts'

/** The key that pays for something: its id, and what it may spend on one Indian day; null without a limit. */
export interface SpendingKey {
	keyId: number
	dayLimitPaise: number | null
}

/**
 * Counts an amount towards the day of a key, in the caller's transaction, after it has locked the wallet to hold the money. Two
 * transactions that would pass the limit together wait for each other here. Throws a 402 that names what was spent and the limit.
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

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))

/** Returns the 402 that refuses what would pass the limit. */
export function limitReached(of: { spentPaise: number; limitPaise: number; neededPaise: number }): AppError {
	const message = `This costs ${rupees(of.neededPaise)}. The key has spent ${rupees(of.spentPaise)} of its ${rupees(of.limitPaise)} for today. Send it tomorrow, or with a key that may spend more.`
	return new AppError(402, message, {
		code: 'day_limit_reached',
		needed: presentAmount(of.neededPaise),
		spent: presentAmount(of.spentPaise),
		limit: presentAmount(of.limitPaise),
	})
}
