import { randomBytes } from 'node:crypto'
import type { LiveEvent } from '#lib/live.ts'
import type { AccountId, Sql } from '../db.ts'
import type { Listener } from './listener.ts'

/** What processes notify one another of: the name in PostgreSQL, and how a payload becomes text and is read again. */
export interface Channel<T> {
	name: string
	encode(payload: T): string
	decode(text: string): T
}

/** A channel whose payload is an account in which something has changed. */
export function accountChannel(name: string): Channel<AccountId> {
	return { name, encode: String, decode: (text) => Number(text) as AccountId }
}

/** Notifies all subscribers once the transaction has committed. A lost notification costs at most the wait for the next poll. */
export function publish<T>(sql: Sql, channel: Channel<T>, payload: T): void {
	sql.notify(channel.name, channel.encode(payload))
}

/** As `publish`, for frequent progress updates: sent at most once a second. */
export function publishProgress<T>(sql: Sql, channel: Channel<T>, payload: T): void {
	sql.notify(channel.name, channel.encode(payload), { isProgress: true })
}

interface Subscriber<T> {
	onPayload: (payload: T) => void
	/** After a lost connection: anything may have been missed. */
	onGap?: () => void
}

/** Returns how to end the subscription. */
export function subscribe<T>(
	listener: Listener,
	channel: Channel<T>,
	{ onPayload, onGap }: Subscriber<T>,
): Promise<() => void> {
	return listener.listen(channel.name, (text) => onPayload(channel.decode(text)), onGap)
}

/** Makes this process's event ids differ from those of all others. */
const SOURCE = randomBytes(6).toString('base64url')
/** The intervals of `Notifier`: an event announced twice within one gets one id, and so is sent once. */
const MARK_INTERVAL_MS = 250
const PROGRESS_MARK_INTERVAL_MS = 1000

export interface AccountEvent {
	accountId: AccountId
	event: LiveEvent
	/** The same in every process, so that a browser that reconnects to any of them can ask for what followed. */
	id: string
}

/** What has changed in an account, for its open browsers. */
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
