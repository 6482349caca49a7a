import { randomUUID } from 'node:crypto'
import type { EventType } from '#lib/events.ts'
import type { AccountId, Sql } from '../db.ts'
import { accountChannel, publish } from '../db/channels.ts'
import type { Statement } from '../statement.ts'

/** An event for an account's own systems. */
export interface OutgoingEvent {
	type: EventType
	at: Date
	data: object
}

/** Maximum number of events per row, which is one delivery. */
export const MAX_EVENTS = 500

/** Notifies of accounts with events to deliver. */
export const eventsChannel = accountChannel('events')

/**
 * Records events in the caller's transaction, so that they are delivered only if it commits: one row per subscribed
 * address and MAX_EVENTS events. Addresses that are switched off or full receive none.
 */
export async function recordEvents(sql: Sql, accountId: AccountId, events: readonly OutgoingEvent[]): Promise<void> {
	if (events.length === 0) return
	const { count } = await sql`
		insert into waiting_events (account_id, address_id, events, event_count)
		select w.account_id, w.id, json_agg(e.event::json order by e.place), count(*)
		from webhook_addresses w
		join unnest(${events.map(({ type }) => type)}::text[], ${events.map(textOf)}::text[]) with ordinality
			as e (type, event, place) on e.type = any(w.events)
		where w.account_id = ${accountId} and w.switched_off_at is null and not w.is_full
		group by w.account_id, w.id, (e.place - 1) / ${MAX_EVENTS}::int
	`
	if (count > 0) publish(sql, eventsChannel, accountId)
}

function textOf({ type, at, data }: OutgoingEvent): string {
	return JSON.stringify({ id: randomUUID(), type, at, data })
}

/** Rows per statement, with up to MAX_EVENTS events each. */
const CHUNK_ROWS = 200

/**
 * Removes events that contain one of these texts, such as the number of an erased recipient, from pending deliveries,
 * and deletes finished deliveries that contain one. Reads CHUNK_ROWS rows per statement, however many are pending.
 */
export async function eraseEvents(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
	await eraseWaiting(sql, accountId, texts)
	await eraseDelivered(sql, accountId, texts)
}

const holdsAny = (sql: Sql, texts: readonly string[], text: Statement) =>
	sql`exists (select from unnest(${[...texts]}::text[]) as t (part) where position(t.part in ${text}) > 0)`

/** Returns SQL for the array's events that contain none of the texts. */
const eventsLeft = (sql: Sql, texts: readonly string[], events: Statement) => sql`(
	select coalesce(json_agg(e.event order by e.place), '[]') from json_array_elements(${events}) with ordinality
		as e (event, place)
	where not ${holdsAny(sql, texts, sql`e.event::text`)}
)`

async function eraseWaiting(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
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

async function eraseDelivered(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
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
