import { isInUse } from '#features/auth/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/** An address with events to send now. */
export interface DueAddress {
	accountId: AccountId
	address: number
}

/** Returns addresses with events to send. A delivery that waits for its next attempt delays newer events. */
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

/** Returns URL and secret of an address; undefined when it is deleted or switched off, or its account is not in use. */
export async function findTarget(
	sql: Sql,
	accountId: AccountId,
	address: number,
): Promise<{ url: string; encrypted: Buffer } | undefined> {
	const [row] = await sql<{ url: string; encrypted: Buffer }[]>`
		select url, secret as encrypted from webhook_addresses
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

/** Returns the delivery with the next attempt, which may not be due yet; undefined when no delivery waits. */
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

/** Locks a delivery and returns its body; undefined when it has ended, or another run has attempted it since it was taken. */
export async function lockBody(
	sql: Sql,
	accountId: AccountId,
	{ id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
): Promise<string | undefined> {
	const [row] = await sql<{ body: string }[]>`
		select body from event_deliveries
		where account_id = ${accountId} and id = ${id} and attempts = ${attempts} and due_at is not null
		for update
	`
	return row?.body
}

export async function deleteDelivery(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`delete from event_deliveries where account_id = ${accountId} and id = ${id}`
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

/** Result of an attempt. */
export interface Attempt {
	/** Null without an answer. */
	answerStatus: number | null
	/** Reason of the failure; null for a success. */
	error: string | null
	/** Null without an answer, because the duration would reveal the reason. */
	durationMs: number | null
}

/** An attempt of a delivery that had `attempts` before it. */
type RecordedAttempt = Attempt & { id: number; attempts: number }

const attempted = (sql: Sql, { answerStatus, error, durationMs }: Attempt) => sql`
	attempts = attempts + 1, attempted_at = now(), answer_status = ${answerStatus}, error = ${error},
	duration_ms = ${durationMs}
`

/**
 * Marks a delivery as accepted. Returns false when another run has attempted it since it was taken, and true when it
 * was deleted.
 */
export async function recordSuccess(sql: Sql, accountId: AccountId, attempt: RecordedAttempt): Promise<boolean> {
	const [row] = await sql<{ isOnly: boolean }[]>`
		update event_deliveries set ${attempted(sql, attempt)}, is_delivered = true, due_at = null
		where account_id = ${accountId} and id = ${attempt.id}
		returning attempts = ${attempt.attempts}::int + 1 as "isOnly"
	`
	return row?.isOnly ?? true
}

/**
 * Stores a failed attempt and the time of the next one, by the database's clock; null ends the delivery as failed. Returns
 * false and stores nothing when another run has attempted the delivery since it was taken, because that run may have
 * delivered it.
 */
export async function recordFailure(
	sql: Sql,
	accountId: AccountId,
	{ dueAt, ...attempt }: RecordedAttempt & { dueAt: Date | null },
): Promise<boolean> {
	const { count } = await sql`
		update event_deliveries set ${attempted(sql, attempt)}, due_at = ${dueAt}::timestamptz
		where account_id = ${accountId} and id = ${attempt.id} and attempts = ${attempt.attempts}
	`
	return count > 0
}

/** Marks an address as working. Returns true when it was failing. */
export async function updateWorking(sql: Sql, accountId: AccountId, address: number): Promise<boolean> {
	const { count } = await sql`
		update webhook_addresses set failing_since = null
		where account_id = ${accountId} and id = ${address} and failing_since is not null
	`
	return count > 0
}

/** Marks an address as failing. Returns the time since which all attempts have failed. */
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

/** Switches an address off; waiting events remain. Returns true when it was on. */
export async function switchOff(sql: Sql, accountId: AccountId, address: number): Promise<boolean> {
	const { count } = await sql`
		update webhook_addresses set switched_off_at = now()
		where account_id = ${accountId} and id = ${address} and switched_off_at is null
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
	/** True while another attempt is scheduled, also while the address is off. */
	isWaiting: boolean
	answerStatus: number | null
	error: string | null
	durationMs: number | null
	/** Null also while the address is switched off. */
	nextAttemptAt: Date | null
}

/** Returns deliveries, latest first. */
export async function listDeliveries(
	sql: Sql,
	accountId: AccountId,
	{ address, before, limit }: { address: string; before: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select id, created_at as "createdAt", event_count as events, attempts, attempted_at as "attemptedAt",
			is_delivered as "isDelivered", due_at is not null as "isWaiting", answer_status as "answerStatus", error,
			duration_ms as "durationMs",
			case when exists (
				select 1 from webhook_addresses w
				where w.account_id = ${accountId} and w.id = ${address} and w.switched_off_at is null
			) then due_at end as "nextAttemptAt"
		from event_deliveries
		where account_id = ${accountId} and address_id = ${address} ${before === undefined ? sql`` : sql`and id < ${before}`}
		order by id desc
		limit ${limit}
	`
}

/**
 * Makes a delivery due again. Returns its address; undefined when the delivery is deleted, null when the address is switched
 * off.
 */
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

/** Makes all deliveries due that wait for their next attempt. */
export async function hastenDeliveries(sql: Sql, accountId: AccountId, address: number): Promise<void> {
	await sql`
		update event_deliveries set due_at = now()
		where account_id = ${accountId} and address_id = ${address} and due_at > now()
	`
}

/**
 * Deletes old deliveries among the `limit` oldest of the account, and returns their number. A delivery that waits for its
 * next attempt remains until its address is deleted or has been switched off for `age`.
 */
export async function deleteOldDeliveries(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isOld = sql`d.created_at < now() - ${age}::interval and (d.due_at is null or not exists (
		select 1 from webhook_addresses w
		where w.account_id = ${accountId} and w.id = d.address_id
			and (w.switched_off_at is null or w.switched_off_at >= now() - ${age}::interval)
	))`
	const { count } = await sql`
		delete from event_deliveries d where d.account_id = ${accountId} and ${isOld} and d.id in (
			select d.id from (
				select id, address_id, created_at, due_at from event_deliveries
				where account_id = ${accountId}
				order by id
				limit ${limit}
			) as d
			where ${isOld}
		)
	`
	return count
}
