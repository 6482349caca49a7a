import type { AccountId, Sql } from '#lib/server/db.ts'

/** A file that a customer sent, to be fetched. */
export interface UnfetchedMedia {
	chat: string
	mediaId: string
	mediaType: string | null
	/** WhatsApp keeps files for seven days. */
	isExpired: boolean
}

export async function findUnfetched(sql: Sql, accountId: AccountId, id: number): Promise<UnfetchedMedia | undefined> {
	const [row] = await sql<UnfetchedMedia[]>`
		select chat, media_id as "mediaId", media_type as "mediaType", at < now() - interval '7 days' as "isExpired"
		from chat_messages
		where account_id = ${accountId} and id = ${id} and media_state = 'fetching'
	`
	return row
}

/** False when the message was erased meanwhile. */
export async function updateFetched(
	sql: Sql,
	accountId: AccountId,
	{ id, key, type }: { id: number; key: string; type: string | null },
): Promise<boolean> {
	const { count } = await sql`
		update chat_messages set media_state = 'ready', media_key = ${key}, media_type = ${type}
		where account_id = ${accountId} and id = ${id}
	`
	return count > 0
}

export async function updateUnavailable(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`
		update chat_messages set media_state = 'unavailable'
		where account_id = ${accountId} and id = ${id} and media_state = 'fetching'
	`
}
