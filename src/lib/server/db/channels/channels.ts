import { randomBytes } from 'node:crypto'
import type { LiveEvent } from '#lib/live.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Listener } from './listener.ts'

/** A notification channel between processes: its PostgreSQL name and the encoding of its payload. */
export interface Channel<T> {
	name: string
	encode(payload: T): string
	decode(text: string): T
}

/** Returns a channel whose payload is the account that changed. */
export function accountChannel(name: string): Channel<AccountId> {
	return { name, encode: String, decode: (text) => Number(text) as AccountId }
}

/** Notifies all subscribers after the transaction commits. Delivery is not guaranteed: subscribers also poll. */
export function publish<T>(sql: Sql, channel: Channel<T>, payload: T): void {
	sql.notify(channel.name, channel.encode(payload))
}

/** Publishes frequent progress updates, at most once a second. */
export function publishProgress<T>(sql: Sql, channel: Channel<T>, payload: T): void {
	sql.notify(channel.name, channel.encode(payload), { isProgress: true })
}

interface Subscriber<T> {
	onPayload: (payload: T) => void
	/** Called after a lost connection, when notifications may have been missed. */
	onGap?: () => void
}

/** Subscribes to a channel. Returns the unsubscribe function. */
export function subscribe<T>(
	listener: Listener,
	channel: Channel<T>,
	{ onPayload, onGap }: Subscriber<T>,
): Promise<() => void> {
	return listener.listen(channel.name, (text) => onPayload(channel.decode(text)), onGap)
}

/** Random prefix that keeps this process's event ids distinct from those of other processes. */
const SOURCE = randomBytes(6).toString('base64url')
/** Intervals of `Notifier` in milliseconds. Equal events within one interval get the same id and are sent once. */
const MARK_INTERVAL_MS = 250
const PROGRESS_MARK_INTERVAL_MS = 1000

export interface AccountEvent {
	accountId: AccountId
	event: LiveEvent
	/** Identical in every process, so that a reconnecting browser can resume from any of them. */
	id: string
}

/** Notifies an account's open browsers of changes. */
export const liveChannel: Channel<AccountEvent> = {
	name: 'live',
	encode: (payload) => JSON.stringify(payload),
	decode: (text) => JSON.parse(text) as AccountEvent,
}

export function announceLive(
	sql: Sql,
	accountId: AccountId,
	{ isProgress = false, ...event }: LiveEvent & { isProgress?: boolean },
): void {
	const interval = isProgress ? PROGRESS_MARK_INTERVAL_MS : MARK_INTERVAL_MS
	const mark = `${SOURCE}${isProgress ? '-' : ''}${Math.floor(performance.now() / interval).toString(36)}`
	const id = `${mark}.${accountId}.${event.kind}.${event.id ?? ''}`.replace(/[^\w.-]/g, '')
	const notify = isProgress ? publishProgress : publish
	notify(sql, liveChannel, { accountId, event, id })
}
