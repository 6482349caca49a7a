import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/**
 * Adds to a key's spending of today. Returns false and adds nothing when the sum would exceed the limit. The first
 * addition of a day is not compared with the limit: the caller must do so.
 */
export async function addSpent(
	sql: Sql,
	accountId: AccountId,
	{ keyId, limitPaise, paise }: { keyId: number; limitPaise: number; paise: number },
): Promise<boolean> {
	const added = await sql`
		insert into api_key_days as d (account_id, key_id, day, spent_paise)
		values (${accountId}, ${keyId}, ${indianDay(Date.now())}, ${paise})
		on conflict (account_id, key_id, day) do update set spent_paise = d.spent_paise + excluded.spent_paise
		where d.spent_paise + excluded.spent_paise <= ${limitPaise}::bigint
		returning 1
	`
	return added.length > 0
}

/** Returns a key's spending of today in paise. */
export async function findSpent(sql: Sql, accountId: AccountId, keyId: number): Promise<number> {
	const [row] = await sql<{ spent: number }[]>`
		select spent_paise as spent from api_key_days
		where account_id = ${accountId} and key_id = ${keyId} and day = ${indianDay(Date.now())}
	`
	return row?.spent ?? 0
}

/** Deletes the spending of old days. Returns the number of rows. */
export async function deleteOldDays(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from api_key_days where account_id = ${accountId} and (key_id, day) in (
			select key_id, day from api_key_days where account_id = ${accountId} and day < now() - ${age}::interval
			limit ${limit} for update
		)
	`
	return count
}
