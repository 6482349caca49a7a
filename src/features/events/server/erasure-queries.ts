import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/** Rows per statement, with up to MAX_EVENTS events each. */
const CHUNK_ROWS = 200

const holdsAny = (sql: Sql, texts: readonly string[], text: Statement) =>
	sql`exists (select from unnest(${[...texts]}::text[]) as t (part) where position(t.part in ${text}) > 0)`

/** Returns SQL for the array's events that contain none of the texts. */
const eventsLeft = (sql: Sql, texts: readonly string[], events: Statement) => sql`(
	select coalesce(json_agg(e.event order by e.place), '[]') from json_array_elements(${events}) with ordinality
		as e (event, place)
	where not ${holdsAny(sql, texts, sql`e.event::text`)}
)`

/** Removes events that contain one of the texts from the rows that wait for a delivery. Reads CHUNK_ROWS rows per statement. */
export async function eraseWaiting(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
	const rest = eventsLeft(sql, texts, sql`w.events`)
	let after = sql``
	for (;;) {
		const [last] = await sql<{ address: string; id: string }[]>`
			select max(address_id)::text as address, (array_agg(id order by address_id desc, id desc))[1]::text as id from (
				select address_id, id from waiting_events
				where account_id = ${accountId} ${after}
				order by address_id, id
				limit ${CHUNK_ROWS}
			) chunk
			having count(*) > 0
		`
		if (!last) return
		const chunk = sql`account_id = ${accountId} ${after}
			and (address_id, id) <= (${last.address}::bigint, ${last.id}::bigint)`
		await sql`
			update waiting_events w set events = ${rest}, event_count = json_array_length(${rest})
			where ${chunk} and ${holdsAny(sql, texts, sql`w.events::text`)}
		`
		await sql`delete from waiting_events where ${chunk} and event_count = 0`
		after = sql`and (address_id, id) > (${last.address}::bigint, ${last.id}::bigint)`
	}
}

/**
 * Deletes ended deliveries that contain one of the texts, and removes events with one of the texts from deliveries that wait
 * for an attempt. Reads CHUNK_ROWS rows per statement.
 */
export async function eraseDelivered(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
	const rest = eventsLeft(sql, texts, sql`(d.body::json -> 'events')`)
	for (let after = 0; ;) {
		const rows = await sql<{ id: number }[]>`
			select id from event_deliveries where account_id = ${accountId} and id > ${after} order by id limit ${CHUNK_ROWS}
		`
		const last = rows.at(-1)?.id
		if (last === undefined) return
		const isMeant = sql`d.account_id = ${accountId} and d.id > ${after} and d.id <= ${last} and ${holdsAny(sql, texts, sql`d.body`)}`
		await sql`delete from event_deliveries d where ${isMeant} and d.due_at is null`
		await sql`
			update event_deliveries d
			set body = '{"events":' || ${rest}::text || '}', event_count = json_array_length(${rest})
			where ${isMeant}
		`
		after = last
	}
}
