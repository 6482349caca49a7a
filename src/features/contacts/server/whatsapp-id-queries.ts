import type { AccountId, Sql } from '#lib/server/db.ts'

/** Number as it was written to, and WhatsApp's own id for it. */
export interface WhatsappId {
	number: string
	waId: string
}

/** Stores the ids. Returns the ids that were new or have changed. */
export async function upsertWhatsappIds(
	sql: Sql,
	accountId: AccountId,
	ids: readonly WhatsappId[],
): Promise<WhatsappId[]> {
	const sorted = ids.toSorted((a, b) => (a.number < b.number ? -1 : 1))
	return sql<WhatsappId[]>`
		insert into whatsapp_ids as w (account_id, number, wa_id)
		select ${accountId}::bigint, n.number, n.wa_id
		from unnest(${sorted.map((i) => i.number)}::text[], ${sorted.map((i) => i.waId)}::text[]) as n (number, wa_id)
		on conflict (account_id, number) do update set wa_id = excluded.wa_id where w.wa_id <> excluded.wa_id
		returning w.number, w.wa_id as "waId"
	`
}

/**
 * Returns the other numbers under which WhatsApp reaches the same person as under each given number, including
 * WhatsApp's id.
 */
export async function listSamePeople(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<{ number: string; same: string }[]> {
	return sql<{ number: string; same: string }[]>`
		with given as (
			select n.number, coalesce(w.wa_id, n.number) as wa_id
			from unnest(${numbers}::text[]) as n (number)
			left join whatsapp_ids w on w.account_id = ${accountId} and w.number = n.number
		)
		select g.number, w.number as same from given g
		join whatsapp_ids w on w.account_id = ${accountId} and w.wa_id = g.wa_id
		where w.number <> g.number
		union all
		select number, wa_id from given where wa_id <> number
	`
}

/** A number or WhatsApp user id that a person had, the one that they have now, and the time of the change. */
export interface FormerId {
	id: string
	nowId: string
	changedAt: Date
}

/** Returns the changes of these numbers and ids. */
export async function listFormerIds(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<FormerId[]> {
	if (ids.length === 0) return []
	return sql<FormerId[]>`
		select id, now_id as "nowId", changed_at as "changedAt" from former_ids
		where account_id = ${accountId} and id = any(${ids}::text[])
	`
}

/** Stores a change. Earlier changes into the former id lead to the new one; the new id is no longer a former one. */
export async function insertFormerId(
	sql: Sql,
	accountId: AccountId,
	{ id, nowId, changedAt }: FormerId,
): Promise<void> {
	await sql`delete from former_ids where account_id = ${accountId} and id = ${nowId}`
	await sql`update former_ids set now_id = ${nowId} where account_id = ${accountId} and now_id = ${id}`
	await sql`
		insert into former_ids (account_id, id, now_id, changed_at) values (${accountId}, ${id}, ${nowId}, ${changedAt})
		on conflict (account_id, id) do update set now_id = excluded.now_id, changed_at = excluded.changed_at
	`
}

/** Returns the former numbers and ids of the people who have these user ids now. */
export async function listIdsBefore(
	sql: Sql,
	accountId: AccountId,
	userIds: readonly string[],
): Promise<{ number: string; same: string }[]> {
	if (userIds.length === 0) return []
	return sql<{ number: string; same: string }[]>`
		select now_id as number, id as same from former_ids
		where account_id = ${accountId} and now_id = any(${userIds}::text[])
	`
}

/** Returns the former and present numbers and ids of the people with these numbers and ids. */
export async function listChangedIds(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select now_id as id from former_ids where account_id = ${accountId} and id = any(${ids}::text[])
		union
		select id from former_ids where account_id = ${accountId} and now_id = any(${ids}::text[])
	`
	return rows.map(({ id }) => id)
}
