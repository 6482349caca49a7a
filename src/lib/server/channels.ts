import type { LiveEvent } from '../live.ts'
import type { Db, OwnerId, Sql } from './db.ts'

/** Tells all processes, when the transaction commits, that an account has messages to send. */
export async function announceWork(sql: Sql, owner: OwnerId): Promise<void> {
	await sql`select pg_notify('work', ${String(owner)})`
}

/** Tells all processes, when the transaction commits, that webhooks wait to be processed. */
export async function announceWebhooks(sql: Sql, owner: OwnerId): Promise<void> {
	await sql`select pg_notify('webhooks', ${String(owner)})`
}

/** Tells the account's open browsers, when the transaction commits, what has changed. */
export async function announceLive(sql: Sql, owner: OwnerId, event: LiveEvent): Promise<void> {
	await sql`select pg_notify('live', ${JSON.stringify({ owner, ...event })})`
}

/** Calls back for each announcement of an account on `channel`, and with null after a lost connection: anything may have been missed. */
export async function onAccount(
	db: Db,
	channel: 'work' | 'webhooks' | 'low_balance',
	call: (owner: OwnerId | null) => void,
): Promise<() => Promise<void>> {
	const { unlisten } = await db.listen(
		channel,
		(payload) => call(Number(payload) as OwnerId),
		() => call(null),
	)
	return unlisten
}

export async function onLive(db: Db, call: (owner: OwnerId, event: LiveEvent) => void): Promise<() => Promise<void>> {
	const { unlisten } = await db.listen('live', (payload) => {
		const { owner, ...event } = JSON.parse(payload) as LiveEvent & { owner: OwnerId }
		call(owner, event)
	})
	return unlisten
}
