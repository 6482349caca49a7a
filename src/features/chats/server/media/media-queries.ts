import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A file that a customer sent, to be fetched. */
export interface DueMedia {
	id: number
	chat: string
	mediaId: string
	mediaType: string | null
	/** Attempts, this one included. */
	attempts: number
	/** WhatsApp keeps files for seven days. */
	isExpired: boolean
}

/** Accounts with files to fetch now. */
export async function listDueAllOwners(sql: Sql, only: OwnerId | null): Promise<{ owner: OwnerId }[]> {
	return sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from chat_messages
		where media_state = 'fetching' and media_retry_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Claims one file until its fetching must have ended; after that, as when this process was killed, another process may claim it. */
export async function claimMedia(sql: Sql, owner: OwnerId, leaseSeconds: number): Promise<DueMedia | undefined> {
	const [row] = await sql<DueMedia[]>`
		with due as materialized (
			select id, at < now() - interval '7 days' as is_expired from chat_messages
			where account_id = ${owner} and media_state = 'fetching' and media_retry_at <= now()
			order by media_retry_at
			limit 1
			for update skip locked
		)
		update chat_messages m
		set media_attempts = m.media_attempts + 1, media_retry_at = now() + ${leaseSeconds} * interval '1 second'
		from due d
		where m.account_id = ${owner} and m.id = d.id
		returning m.id, m.chat, m.media_id as "mediaId", m.media_type as "mediaType", m.media_attempts as attempts,
			d.is_expired as "isExpired"
	`
	return row
}

export async function updateFetched(
	sql: Sql,
	owner: OwnerId,
	{ id, key, type }: { id: number; key: string; type: string | null },
): Promise<void> {
	await sql`
		update chat_messages set media_state = 'ready', media_key = ${key}, media_type = ${type}, media_retry_at = null
		where account_id = ${owner} and id = ${id}
	`
}

export async function updatePostponed(
	sql: Sql,
	owner: OwnerId,
	{ id, seconds }: { id: number; seconds: number },
): Promise<void> {
	await sql`
		update chat_messages set media_retry_at = now() + ${seconds} * interval '1 second'
		where account_id = ${owner} and id = ${id} and media_state = 'fetching'
	`
}

export async function updateUnavailable(sql: Sql, owner: OwnerId, id: number): Promise<void> {
	await sql`
		update chat_messages set media_state = 'unavailable', media_retry_at = null
		where account_id = ${owner} and id = ${id} and media_state = 'fetching'
	`
}
