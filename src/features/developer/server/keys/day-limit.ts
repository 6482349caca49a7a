import { indianDay } from '#lib/dates.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { AppError } from '#lib/server/errors.ts'
import { presentAmount } from '../present.ts'

/** The key that pays for something: its id, and what it may spend on one Indian day; null without a limit. */
export interface SpendingKey {
	keyId: number
	dayLimitPaise: number | null
}

/**
 * Counts an amount towards the day of a key, in the caller's transaction, which holds the money. Two transactions that would
 * pass the limit together wait for each other here. Throws a 402 that names what was spent and the limit.
 */
export async function spend(sql: Sql, owner: OwnerId, key: SpendingKey, paise: number): Promise<void> {
	const { keyId, dayLimitPaise } = key
	if (dayLimitPaise === null || paise === 0) return
	const day = indianDay(Date.now())
	const spent =
		paise > dayLimitPaise
			? []
			: await sql`
		insert into api_key_days as d (account_id, key_id, day, spent_paise)
		values (${owner}, ${keyId}, ${day}, ${paise})
		on conflict (account_id, key_id, day) do update set spent_paise = d.spent_paise + excluded.spent_paise
		where d.spent_paise + excluded.spent_paise <= ${dayLimitPaise}::bigint
		returning 1
	`
	if (spent.length === 0) throw limitReached(await findSpent(sql, owner, keyId), dayLimitPaise, paise)
}

/** Returns what a key has spent today, in paise. */
export async function findSpent(sql: Sql, owner: OwnerId, keyId: number): Promise<number> {
	const [row] = await sql<{ spent: number }[]>`
		select spent_paise as spent from api_key_days
		where account_id = ${owner} and key_id = ${keyId} and day = ${indianDay(Date.now())}
	`
	return row?.spent ?? 0
}

/** Returns the 402 that refuses what would pass the limit. */
export function limitReached(spentPaise: number, limitPaise: number, neededPaise: number): AppError {
	const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))
	const message = `This costs ${rupees(neededPaise)}. The key has spent ${rupees(spentPaise)} of its ${rupees(limitPaise)} for today. Send it tomorrow, or with a key that may spend more.`
	return new AppError(402, message, {
		code: 'day_limit_reached',
		needed: presentAmount(neededPaise),
		spent: presentAmount(spentPaise),
		limit: presentAmount(limitPaise),
	})
}

/** Deletes what keys spent on days before; returns how many rows went. */
export async function deleteOldDays(sql: Sql, owner: OwnerId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from api_key_days where account_id = ${owner} and (key_id, day) in (
			select key_id, day from api_key_days where account_id = ${owner} and day < now() - ${age}::interval limit ${limit}
		)
	`
	return count
}
