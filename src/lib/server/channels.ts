import { randomBytes } from 'node:crypto'
import type { LiveEvent } from '../live.ts'
import type { OwnerId, Sql } from './db.ts'
import type { Listener } from './listener.ts'

/** What processes notify one another of: the name in PostgreSQL, and how a payload becomes text and is read again. */
export interface Channel<T> {
	name: string
	encode(payload: T): string
	decode(text: string): T
}

/** A channel whose payload is an account: that it has something to be looked at. */
export function ownerChannel(name: string): Channel<OwnerId> {
	return { name, encode: String, decode: (text) => Number(text) as OwnerId }
}

/** Notifies all subscribers, once the transaction has committed. One that is lost costs at most the wait for the next look. */
export function publish<T>(sql: Sql, channel: Channel<T>, payload: T): void {
	sql.notify(channel.name, channel.encode(payload))
}

/** As `publish`, of what is one of many while something is under way: it may wait a second for others. */
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

/** Sets this process's events apart from those of all others. */
const SOURCE = randomBytes(6).toString('base64url')
/** As often as notifications leave at most, and those of progress: what is announced twice within it is one notification. */
const MARK_INTERVAL_MS = 250
const PROGRESS_MARK_INTERVAL_MS = 1000

export interface AccountEvent {
	owner: OwnerId
	event: LiveEvent
	/** The same in every process that is notified of it: a browser that was away asks by it for what it has missed. */
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
	owner: OwnerId,
	{ isProgress = false, ...event }: LiveEvent & { isProgress?: boolean },
): void {
	const interval = isProgress ? PROGRESS_MARK_INTERVAL_MS : MARK_INTERVAL_MS
	const mark = `${SOURCE}${isProgress ? '-' : ''}${Math.floor(performance.now() / interval).toString(36)}`
	const id = `${mark}.${owner}.${event.kind}.${event.id ?? ''}`.replace(/[^\w.-]/g, '')
	const notify = isProgress ? publishProgress : publish
	notify(sql, liveChannel, { owner, event, id })
}
