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

/** What has changed in an account, for its open browsers. */
export const liveChannel: Channel<{ owner: OwnerId; event: LiveEvent }> = {
	name: 'live',
	encode: ({ owner, event }) => JSON.stringify({ owner, ...event }),
	decode: (text) => {
		const { owner, ...event } = JSON.parse(text) as LiveEvent & { owner: OwnerId }
		return { owner, event }
	},
}

export function announceLive(sql: Sql, owner: OwnerId, event: LiveEvent): void {
	publish(sql, liveChannel, { owner, event })
}
