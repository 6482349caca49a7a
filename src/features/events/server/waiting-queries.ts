import { MAX_EVENTS, type EventType } from '#features/events/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/**
 * Inserts events of these types and JSON texts: one row per subscribed address and MAX_EVENTS events. Addresses that are switched
 * off or full receive none. Returns the number of rows.
 */
export async function insertEvents(
	sql: Sql,
	accountId: AccountId,
	{ types, texts }: { types: EventType[]; texts: string[] },
): Promise<number> {
	const { count } = await sql`
		insert into waiting_events (account_id, address_id, events, event_count)
		select w.account_id, w.id, json_agg(e.event::json order by e.place), count(*)
		from webhook_addresses w
		join unnest(${types}::text[], ${texts}::text[]) with ordinality as e (type, event, place) on e.type = any(w.events)
		where w.account_id = ${accountId} and w.switched_off_at is null and not w.is_full
		group by w.account_id, w.id, (e.place - 1) / ${MAX_EVENTS}::int
	`
	return count
}

interface TurnedAddress {
	accountId: AccountId
	address: number
	isFull: boolean
}

/** Returns addresses whose mark `is_full` is wrong: at least `most` events wait without the mark, or fewer with it. */
export async function listTurnedAllAccounts(
	sql: Sql,
	{ most, only }: { most: number; only: AccountId | null },
): Promise<TurnedAddress[]> {
	return sql<TurnedAddress[]>`
		select "accountId", address, not was_full as "isFull" from (
			select w.account_id as "accountId", w.id as address, w.is_full as was_full,
				coalesce(sum(e.event_count), 0) >= ${most} as is_full
			from webhook_addresses w
			left join waiting_events e on e.account_id = w.account_id and e.address_id = w.id
			where w.switched_off_at is null ${only === null ? sql`` : sql`and w.account_id = ${only}`}
			group by w.account_id, w.id, w.is_full
		) as counted
		where is_full <> was_full
	`
}

export async function updateFull(
	sql: Sql,
	accountId: AccountId,
	{ address, isFull }: { address: number; isFull: boolean },
): Promise<void> {
	await sql`update webhook_addresses set is_full = ${isFull} where account_id = ${accountId} and id = ${address}`
}

/** Deletes events of addresses that are deleted, or have been switched off for `age`. */
export async function deleteUnwanted(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isUnwanted = sql`not exists (
		select 1 from webhook_addresses w
		where w.account_id = ${accountId} and w.id = e.address_id
			and (w.switched_off_at is null or w.switched_off_at >= now() - ${age}::interval)
	)`
	const { count } = await sql`
		delete from waiting_events e where e.account_id = ${accountId} and ${isUnwanted} and (e.address_id, e.id) in (
			select e.address_id, e.id from waiting_events e where e.account_id = ${accountId} and ${isUnwanted} limit ${limit}
		)
	`
	return count
}

export interface WaitingRow {
	id: number
	events: unknown[]
}

/**
 * Locks and returns the oldest rows that together contain enough events for a delivery. The lock makes the read wait for an
 * erasure, whose removed events must not be sent.
 */
export async function lockWaiting(sql: Sql, accountId: AccountId, address: number): Promise<WaitingRow[]> {
	return sql<WaitingRow[]>`
		select id, events from waiting_events
		where account_id = ${accountId} and address_id = ${address} and id in (
			select id from (
				select id, sum(event_count) over (order by id) - event_count as before
				from (
					select id, event_count from waiting_events
					where account_id = ${accountId} and address_id = ${address}
					order by id
					limit ${MAX_EVENTS}
				) as oldest
			) as placed
			where before < ${MAX_EVENTS}
		)
		order by id
		for update
	`
}

export async function deleteWaiting(
	sql: Sql,
	accountId: AccountId,
	{ address, ids }: { address: number; ids: number[] },
): Promise<void> {
	await sql`
		delete from waiting_events where account_id = ${accountId} and address_id = ${address} and id = any(${ids}::bigint[])
	`
}

/** Inserts events before all waiting ones of an address. */
export async function insertFirst(
	sql: Sql,
	accountId: AccountId,
	{ address, events }: { address: number; events: readonly unknown[] },
): Promise<void> {
	await sql`
		insert into waiting_events (account_id, address_id, id, events, event_count)
		overriding system value
		select ${accountId}::bigint, ${address}::bigint, least(min(id), 1) - 1, ${JSON.stringify(events)}::json, ${events.length}::int
		from waiting_events where account_id = ${accountId} and address_id = ${address}
	`
}

/** Stores the remaining events of a row under its id, so that they keep their place. */
export async function insertRest(
	sql: Sql,
	accountId: AccountId,
	{ address, id, events }: { address: number; id: number; events: unknown[] },
): Promise<void> {
	await sql`
		insert into waiting_events (account_id, address_id, id, events, event_count)
		overriding system value
		values (${accountId}, ${address}, ${id}, ${JSON.stringify(events)}::json, ${events.length})
	`
}
