import { randomUUID } from 'node:crypto'
import { MAX_EVENTS, type EventType } from '#features/events/rules.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { accountChannel, publish } from '#lib/server/db/channels/channels.ts'
import * as deliveries from './delivery-queries.ts'
import type { Delivery } from './delivery-queries.ts'
import { eraseDelivered, eraseWaiting } from './erasure-queries.ts'
import * as waitingRows from './waiting-queries.ts'
import type { WaitingRow } from './waiting-queries.ts'

/** An event for an account's own systems. */
export interface OutgoingEvent {
	type: EventType
	at: Date
	data: object
}

/** Notifies of accounts with events to deliver. */
export const eventsChannel = accountChannel('events')

/** Records events in the caller's transaction, so that they are delivered only if it commits. */
export async function recordEvents(sql: Sql, accountId: AccountId, events: readonly OutgoingEvent[]): Promise<void> {
	if (events.length === 0) return
	const rows = await waitingRows.insertEvents(sql, accountId, {
		types: events.map(({ type }) => type),
		texts: events.map(textOf),
	})
	if (rows > 0) publish(sql, eventsChannel, accountId)
}

function textOf({ type, at, data }: OutgoingEvent): string {
	return JSON.stringify({ id: randomUUID(), type, at, data })
}

/**
 * Removes events that contain one of these texts, such as the number of an erased recipient, from pending deliveries,
 * and deletes finished deliveries that contain one.
 */
export async function eraseEvents(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
	await eraseWaiting(sql, accountId, texts)
	await eraseDelivered(sql, accountId, texts)
}

/** Maximum number of waiting events per address. Further events are not stored. */
const MAX_WAITING = 5_000_000

/** Marks addresses with too many waiting events, for which no events are stored, and clears the mark after some were sent. */
export async function boundWaiting(context: SweepContext, most = MAX_WAITING): Promise<void> {
	const { db } = context
	const turned = await scanAllAccounts(db, (only) => waitingRows.listTurnedAllAccounts(db, { most, only }))
	await forEachAccount(context, turned, async ({ accountId, ...address }) => {
		await waitingRows.updateFull(db, accountId, address)
		return 1
	})
}

/** Maximum bytes of a body; a single event may be larger. Web servers accept 1 MB by default. */
const MAX_BODY_BYTES = 1_000_000

/**
 * Returns the due delivery of an address: one to repeat, or a new one of the oldest waiting events, stored before it is sent so
 * that each attempt is the same. Returns undefined when nothing is due. While a delivery waits for an attempt, no run creates
 * another one, so events keep their order.
 */
export async function takeDelivery(db: Db, accountId: AccountId, address: number): Promise<Delivery | undefined> {
	return transaction(db, async (sql) => {
		await deliveries.lockAddress(sql, accountId, address)
		const waiting = await deliveries.findWaitingDelivery(sql, accountId, address)
		if (waiting) return waiting.isDue ? waiting : undefined
		const rows = await waitingRows.lockWaiting(sql, accountId, address)
		if (rows.length === 0) return undefined
		const { body, eventCount, ids, rest } = batchOf(rows)
		await waitingRows.deleteWaiting(sql, accountId, { address, ids })
		if (rest) await waitingRows.insertRest(sql, accountId, { address, ...rest })
		return deliveries.insertDelivery(sql, accountId, { address, body, eventCount })
	})
}

/**
 * Replaces a delivery of several events by one of their first half, and puts the others before all waiting events. Returns
 * false and changes nothing when another run has attempted the delivery since it was taken.
 */
export async function halveDelivery(
	db: Db,
	accountId: AccountId,
	{ address, delivery }: { address: number; delivery: Delivery },
): Promise<boolean> {
	return transaction(db, async (sql) => {
		await deliveries.lockAddress(sql, accountId, address)
		const body = await deliveries.lockBody(sql, accountId, delivery)
		if (body === undefined) return false
		// An erasure may have removed some of the sent events.
		const { events } = JSON.parse(body) as { events: unknown[] }
		const half = Math.ceil(events.length / 2)
		await deliveries.deleteDelivery(sql, accountId, delivery.id)
		if (half === 0) return true
		const first = events.slice(0, half).map((event) => JSON.stringify(event))
		await deliveries.insertDelivery(sql, accountId, { address, body: bodyOf(first), eventCount: half })
		if (half < events.length) await waitingRows.insertFirst(sql, accountId, { address, events: events.slice(half) })
		return true
	})
}

interface Batch {
	body: string
	eventCount: number
	/** Ids of the rows whose events the batch contains. */
	ids: number[]
	/** Remaining events of the last row. */
	rest: WaitingRow | null
}

function batchOf(rows: readonly WaitingRow[]): Batch {
	const taken: string[] = []
	const ids: number[] = []
	let bytes = 0
	for (const { id, events } of rows) {
		for (const [index, event] of events.entries()) {
			const text = JSON.stringify(event)
			bytes += Buffer.byteLength(text) + 1
			if (taken.length > 0 && (taken.length >= MAX_EVENTS || bytes > MAX_BODY_BYTES)) {
				const rest = index > 0 ? { id, events: events.slice(index) } : null
				return { body: bodyOf(taken), eventCount: taken.length, ids: rest ? [...ids, id] : ids, rest }
			}
			taken.push(text)
		}
		ids.push(id)
	}
	return { body: bodyOf(taken), eventCount: taken.length, ids, rest: null }
}

/** Returns the body that a receiver reads. */
function bodyOf(events: readonly string[]): string {
	return `{"events":[${events.join(',')}]}`
}
