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
