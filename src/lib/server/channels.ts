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

/** Notifies the account's open browsers of what has changed. */
export function announceLive(sql: Sql, owner: OwnerId, event: LiveEvent): void {
	sql.notify('live', JSON.stringify({ owner, ...event }))
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

export function onLive(listener: Listener, call: (owner: OwnerId, event: LiveEvent) => void): Promise<() => void> {
	return listener.listen('live', (payload) => {
		const { owner, ...event } = JSON.parse(payload) as LiveEvent & { owner: OwnerId }
		call(owner, event)
	})
}
