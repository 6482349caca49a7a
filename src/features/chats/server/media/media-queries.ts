import type { AccountId, Sql } from '#lib/server/db.ts'

/** A customer's file that is not fetched yet. */
export interface UnfetchedMedia {
	chat: string
	mediaId: string
	mediaType: string | null
	/** True after seven days, when WhatsApp has deleted the file. */
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

/** Stores the key and type of a fetched file. Returns false when the message was erased in the meantime. */
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
