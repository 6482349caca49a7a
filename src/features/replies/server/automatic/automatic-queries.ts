import type { AutomaticBody, AutomaticSettings, GivenSettings } from '#features/replies/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** An automatic reply with the number of its messages in a month. */
export interface AutomaticRow extends AutomaticBody {
	id: number
	sent: number
}

/**
 * Returns all automatic replies with the number of their messages in a month, such as 2026-11: greeting, away message, then
 * keyword replies by age.
 */
export async function listAutomatic(sql: Sql, accountId: AccountId, month: string): Promise<AutomaticRow[]> {
	return sql<AutomaticRow[]>`
		select id, kind, phrases, text, monthly_limit as "monthlyLimit", case when month = ${month} then sent else 0 end as sent
		from automatic_replies where account_id = ${accountId}
		order by array_position(array['greeting', 'away', 'keyword'], kind), id
	`
}

/** Returns the stored settings; undefined while the account has saved none. */
export async function findSettings(sql: Sql, accountId: AccountId): Promise<AutomaticSettings | undefined> {
	const [row] = await sql<AutomaticSettings[]>`
		select is_on as "isOn", hours from automatic_reply_settings where account_id = ${accountId}
	`
	return row
}

/** Stores the given settings. The others keep their values; before the first change they are on, without hours. */
export async function upsertSettings(sql: Sql, accountId: AccountId, { isOn, hours }: GivenSettings): Promise<void> {
	const given = isOn ?? null
	await sql`
		insert into automatic_reply_settings as s (account_id, is_on, hours)
		values (${accountId}, coalesce(${given}::boolean, true), ${hours ? JSON.stringify(hours) : null}::jsonb)
		on conflict (account_id) do update set
			is_on = coalesce(${given}::boolean, s.is_on),
			hours = case when ${hours === undefined}::boolean then s.hours else excluded.hours end
	`
}

/**
 * Returns the automatic replies below their limit of the month, each with the account's business hours; none while the account
 * has switched them off.
 */
export async function listSendable(
	sql: Sql,
	accountId: AccountId,
	month: string,
): Promise<(Omit<AutomaticRow, 'sent' | 'monthlyLimit'> & Pick<AutomaticSettings, 'hours'>)[]> {
	return sql<(Omit<AutomaticRow, 'sent' | 'monthlyLimit'> & Pick<AutomaticSettings, 'hours'>)[]>`
		select r.id, r.kind, r.phrases, r.text, s.hours
		from automatic_replies r
		left join automatic_reply_settings s on s.account_id = ${accountId}
		where r.account_id = ${accountId} and coalesce(s.is_on, true) and (r.month <> ${month} or r.sent < r.monthly_limit)
		order by r.id
	`
}

/**
 * Counts messages of automatic replies in the month, each under the id of its reply. Returns by id how many of them are within
 * the limit; none of a deleted reply. Locks the replies in the order of their ids.
 */
export async function countSent(
	sql: Sql,
	accountId: AccountId,
	{ ids, month }: { ids: readonly number[]; month: string },
): Promise<Map<number, number>> {
	const rows = await sql<{ id: number; granted: number }[]>`
		with before as (
			select r.id, c.sent, greatest(0, least(n.wanted, r.monthly_limit - c.sent)) as granted
			from automatic_replies r
			join (select id, count(*)::integer as wanted from unnest(${ids}::bigint[]) as u (id) group by id) n on n.id = r.id
			cross join lateral (select case when r.month = ${month} then r.sent else 0 end as sent) c
			where r.account_id = ${accountId}
			order by r.id
			for update of r
		)
		update automatic_replies r set month = ${month}, sent = b.sent + b.granted
		from before b
		where r.account_id = ${accountId} and r.id = b.id
		returning r.id, b.granted
	`
	return new Map(rows.map(({ id, granted }) => [id, granted]))
}

/** Takes back the count of a message in its month, unless a later month is counted. */
export async function uncountSent(
	sql: Sql,
	accountId: AccountId,
	{ id, month }: { id: number; month: string },
): Promise<void> {
	await sql`
		update automatic_replies set sent = sent - 1
		where account_id = ${accountId} and id = ${id} and month = ${month} and sent > 0
	`
}

export async function insertAutomatic(sql: Sql, accountId: AccountId, reply: AutomaticBody): Promise<void> {
	const { kind, phrases, text, monthlyLimit } = reply
	await sql`
		insert into automatic_replies (account_id, kind, phrases, text, monthly_limit)
		values (${accountId}, ${kind}, ${phrases}::text[], ${text}, ${monthlyLimit})
	`
}

/** Changes an automatic reply. Returns false when the account has none with this id. */
export async function updateAutomatic(
	sql: Sql,
	accountId: AccountId,
	{ id, kind, phrases, text, monthlyLimit }: AutomaticBody & { id: string },
): Promise<boolean> {
	const { count } = await sql`
		update automatic_replies
		set kind = ${kind}, phrases = ${phrases}::text[], text = ${text}, monthly_limit = ${monthlyLimit}
		where account_id = ${accountId} and id = ${id}::bigint
	`
	return count > 0
}

/** Deletes an automatic reply. Returns false when the account has none with this id. */
export async function deleteAutomatic(sql: Sql, accountId: AccountId, id: string): Promise<boolean> {
	const { count } = await sql`delete from automatic_replies where account_id = ${accountId} and id = ${id}::bigint`
	return count > 0
}
