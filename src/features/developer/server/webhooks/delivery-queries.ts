import { isInUse } from '#features/auth/server/retention/in-use-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { MAX_EVENTS } from '#lib/server/jobs/outgoing-events.ts'

/** An address to which something is to be sent now. */
export interface DueAddress {
	accountId: AccountId
	address: number
}

/** A delivery that waits for its next attempt comes before what happened since. */
export async function listDueAllAccounts(sql: Sql, only: AccountId | null): Promise<DueAddress[]> {
	const account = only === null ? sql`w.account_id` : sql`${only}::bigint`
	return sql<DueAddress[]>`
		select w.account_id as "accountId", w.id as address
		from webhook_addresses w
		where w.switched_off_at is null ${only === null ? sql`` : sql`and w.account_id = ${only}`}
			and coalesce(
				(
					select min(d.due_at) from event_deliveries d
					where d.account_id = ${account} and d.address_id = w.id and d.due_at is not null
				) <= now(),
				exists (select 1 from waiting_events e where e.account_id = ${account} and e.address_id = w.id)
			)
			and ${isInUse(sql, sql`w.account_id`)}
	`
}

/** Undefined for one that is gone, or switched off. */
export async function findTarget(
	sql: Sql,
	accountId: AccountId,
	address: number,
): Promise<{ url: string; sealed: Buffer } | undefined> {
	const [row] = await sql<{ url: string; sealed: Buffer }[]>`
		select url, secret as sealed from webhook_addresses
		where account_id = ${accountId} and id = ${address} and switched_off_at is null
			and ${isInUse(sql, sql`${accountId}::bigint`)}
	`
	return row
}

export interface Delivery {
	id: number
	body: string
	eventCount: number
	attempts: number
}

/** Locks an address until the transaction ends, so that its batches are taken one after the other. */
export async function lockAddress(sql: Sql, accountId: AccountId, address: number): Promise<void> {
	await sql`select 1 from webhook_addresses where account_id = ${accountId} and id = ${address} for no key update`
}

/** The delivery that is to be attempted next, perhaps later. */
export async function findWaitingDelivery(
	sql: Sql,
	accountId: AccountId,
	address: number,
): Promise<(Delivery & { isDue: boolean }) | undefined> {
	const [row] = await sql<(Delivery & { isDue: boolean })[]>`
		select id, body, event_count as "eventCount", attempts, due_at <= now() as "isDue"
		from event_deliveries
		where account_id = ${accountId} and address_id = ${address} and due_at is not null
		order by due_at, id
		limit 1
	`
	return row
}

export interface WaitingRow {
	id: number
	events: unknown[]
}

/**
 * The oldest rows of events, up to the one with which they are enough for a delivery, locked: what an erasure takes out of a
 * row must not come back with what was read before.
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

/** Keeps the events of a row that are left, in its place. */
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

export async function insertDelivery(
	sql: Sql,
	accountId: AccountId,
	{ address, body, eventCount }: { address: number; body: string; eventCount: number },
): Promise<Delivery> {
	const [row] = await sql<{ id: number }[]>`
		insert into event_deliveries (account_id, address_id, body, event_count, due_at)
		values (${accountId}, ${address}, ${body}, ${eventCount}, now())
		returning id
	`
	if (!row) throw new Error('an insert returns its row')
	return { id: row.id, body, eventCount, attempts: 0 }
}

/** What came of an attempt. */
export interface Attempt {
	/** Null where nothing was answered. */
	answerStatus: number | null
	/** Why it has failed; null when it has not. */
	error: string | null
	/** Null where there was no answer: the time would say why. */
	durationMs: number | null
}

/** An attempt of a delivery that had `attempts` before it. */
type NotedAttempt = Attempt & { id: number; attempts: number }

const attempted = (sql: Sql, { answerStatus, error, durationMs }: Attempt) => sql`
	attempts = attempts + 1, attempted_at = now(), answer_status = ${answerStatus}, error = ${error},
	duration_ms = ${durationMs}
`

/** Ends a delivery that was accepted. Returns whether no other run has attempted it since it was taken. */
export async function recordSuccess(sql: Sql, accountId: AccountId, attempt: NotedAttempt): Promise<boolean> {
	const [row] = await sql<{ isOnly: boolean }[]>`
		update event_deliveries set ${attempted(sql, attempt)}, is_delivered = true, due_at = null
		where account_id = ${accountId} and id = ${attempt.id}
		returning attempts = ${attempt.attempts}::int + 1 as "isOnly"
	`
	return row?.isOnly ?? true
}

/**
 * Notes a failed attempt and the time of the next one, by the database's clock. Returns false, and notes nothing, where another
 * run has attempted the delivery since it was taken: that one may have delivered it.
 */
export async function recordFailure(
	sql: Sql,
	accountId: AccountId,
	{ dueAt, ...attempt }: NotedAttempt & { dueAt: Date },
): Promise<boolean> {
	const { count } = await sql`
		update event_deliveries set ${attempted(sql, attempt)}, due_at = ${dueAt}
		where account_id = ${accountId} and id = ${attempt.id} and attempts = ${attempt.attempts}
	`
	return count > 0
}

/** Returns whether the address was failing. */
export async function updateWorking(sql: Sql, accountId: AccountId, address: number): Promise<boolean> {
	const { count } = await sql`
		update webhook_addresses set failing_since = null
		where account_id = ${accountId} and id = ${address} and failing_since is not null
	`
	return count > 0
}

/** Notes that an attempt has failed. Returns since when all have. */
export async function updateFailing(
	sql: Sql,
	accountId: AccountId,
	{ address, at }: { address: number; at: Date },
): Promise<Date> {
	const [row] = await sql<{ since: Date }[]>`
		update webhook_addresses set failing_since = coalesce(failing_since, ${at}::timestamptz)
		where account_id = ${accountId} and id = ${address}
		returning failing_since as since
	`
	return row?.since ?? at
}

/** Switches an address off, and ends what it was to be sent. Returns whether it was on. */
export async function switchOff(sql: Sql, accountId: AccountId, address: number): Promise<boolean> {
	const { count } = await sql`
		update webhook_addresses set switched_off_at = now()
		where account_id = ${accountId} and id = ${address} and switched_off_at is null
	`
	await sql`
		update event_deliveries set due_at = null
		where account_id = ${accountId} and address_id = ${address} and due_at is not null
	`
	return count > 0
}

export interface DeliveryRow {
	id: number
	createdAt: Date
	events: number
	attempts: number
	attemptedAt: Date | null
	isDelivered: boolean
	answerStatus: number | null
	error: string | null
	durationMs: number | null
	nextAttemptAt: Date | null
}

/** The latest first. */
export async function listDeliveries(
	sql: Sql,
	accountId: AccountId,
	{ address, before, limit }: { address: string; before: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select id, created_at as "createdAt", event_count as events, attempts, attempted_at as "attemptedAt",
			is_delivered as "isDelivered", answer_status as "answerStatus", error, duration_ms as "durationMs",
			due_at as "nextAttemptAt"
		from event_deliveries
		where account_id = ${accountId} and address_id = ${address} ${before === undefined ? sql`` : sql`and id < ${before}`}
		order by id desc
		limit ${limit}
	`
}

/** Has a delivery attempted again now. Returns its address; undefined for one that is gone, null for one that is switched off. */
export async function requeueDelivery(sql: Sql, accountId: AccountId, id: string): Promise<number | null | undefined> {
	const [row] = await sql<{ address: number; isOn: boolean }[]>`
		select d.address_id as address, w.switched_off_at is null as "isOn"
		from event_deliveries d
		join webhook_addresses w on w.account_id = ${accountId} and w.id = d.address_id
		where d.account_id = ${accountId} and d.id = ${id}
	`
	if (!row?.isOn) return row && null
	await sql`update event_deliveries set due_at = now() where account_id = ${accountId} and id = ${id}`
	return row.address
}

/** Has what waits for its next attempt attempted now. */
export async function hastenDeliveries(sql: Sql, accountId: AccountId, address: number): Promise<void> {
	await sql`
		update event_deliveries set due_at = now()
		where account_id = ${accountId} and address_id = ${address} and due_at > now()
	`
}

/** Deletes deliveries that are as old; one that waits for its next attempt stays. */
export async function deleteOldDeliveries(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isOld = sql`created_at < now() - ${age}::interval and due_at is null`
	const { count } = await sql`
		delete from event_deliveries where account_id = ${accountId} and ${isOld} and id in (
			select id from (
				select id, created_at, due_at from event_deliveries where account_id = ${accountId} order by id limit ${limit}
			) as oldest
			where ${isOld}
		)
	`
	return count
}
