import { randomBytes } from 'node:crypto'
import type { LiveEvent } from '../live.ts'
import type { OwnerId, Sql } from './db.ts'
import type { Listener } from './listener.ts'

/** Notifies all workers that an account may have messages to send. */
export function announceWork(sql: Sql, owner: OwnerId): void {
	sql.notify('work', String(owner))
}

/** Notifies all workers that webhooks wait to be processed. */
export function announceWebhooks(sql: Sql, owner: OwnerId): void {
	sql.notify('webhooks', String(owner))
}

/** Notifies all workers that an account's chats have files to fetch, answers to count or messages to send. */
export function announceChats(sql: Sql, owner: OwnerId): void {
	sql.notify('chats', String(owner))
}

/** Sets this process's events apart from those of all others. */
const SOURCE = randomBytes(6).toString('base64url')
/** As often as notifications leave at most: what is announced twice within it is one notification. */
const MARK_INTERVAL_MS = 250

/**
 * Notifies the account's open browsers of what has changed. The mark lets every process that hears it give it the same id,
 * by which a browser that was away asks for what it has missed.
 */
export function announceLive(sql: Sql, owner: OwnerId, event: LiveEvent): void {
	const mark = `${SOURCE}${Math.floor(performance.now() / MARK_INTERVAL_MS).toString(36)}`
	sql.notify('live', JSON.stringify({ owner, ...event, mark }))
}

/** Calls back for each notification of an account on `channel`, and with null after a gap: anything may have been missed. */
export function onAccount(
	listener: Listener,
	channel: 'work' | 'webhooks' | 'low_balance' | 'chats',
	call: (owner: OwnerId | null) => void,
): Promise<() => void> {
	return listener.listen(
		channel,
		(payload) => call(Number(payload) as OwnerId),
		() => call(null),
	)
}

export interface HeardEvent {
	owner: OwnerId
	event: LiveEvent
	/** The same in every process that hears it. */
	id: string
}

/** Calls back for each event, in the same order in every process, and after a gap, in which any may have been missed. */
export function onLive(listener: Listener, call: (heard: HeardEvent) => void, onGap: () => void): Promise<() => void> {
	return listener.listen(
		'live',
		(payload) => {
			const { owner, mark, ...event } = JSON.parse(payload) as LiveEvent & { owner: OwnerId; mark?: string }
			call({ owner, event, id: `${mark ?? ''}.${owner}.${event.kind}.${event.id ?? ''}`.replace(/[^\w.-]/g, '') })
		},
		onGap,
	)
}
