import { authorName } from '#features/auth/server/queries.ts'
import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { listChangedIds } from '#features/contacts/server/whatsapp-id-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { ChargeState } from '../charges/charge.ts'

/** Returns the keys and user ids of the chats that have one of these keys or user ids. */
export async function listChatIdentities(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<string[]> {
	const rows = await sql<{ key: string; userId: string | null }[]>`
		select key, user_id as "userId" from chats
		where account_id = ${accountId} and (key = any(${keys}::text[]) or user_id = any(${keys}::text[]))
	`
	return rows.flatMap(({ key, userId }) => (userId === null ? [key] : [key, userId]))
}

/**
 * Returns the former and present numbers and ids of the people with these numbers and ids. Leaves out a former number from which
 * its next owner has written or was erased, in both directions.
 */
export async function listChangedIdsOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<string[]> {
	const erased = await listErased(sql, accountId, await listChangedIds(sql, accountId, names))
	const rows = await sql<{ id: string }[]>`
		with changes as (
			select f.id, f.now_id from former_ids f
			where f.account_id = ${accountId} and f.id <> all(${[...erased.keys()]}::text[]) and not exists (
				select from chats c where c.account_id = ${accountId} and c.key = f.id and c.inbound_at > f.changed_at
			)
		), present as (
			select now_id from changes where id = any(${names}::text[]) union select unnest(${names}::text[])
		)
		select now_id as id from present
		union
		select f.id from changes f join present p on p.now_id = f.now_id
	`
	return rows.map(({ id }) => id)
}

export interface ChatsOfPerson {
	messages: number
	/** Storage keys of the files. */
	files: string[]
	profileName: string | null
}

export async function findChatsOf(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<ChatsOfPerson> {
	const [row] = await sql<ChatsOfPerson[]>`
		select count(*) as messages,
			coalesce(array_agg(m.media_key) filter (where m.media_key is not null), '{}') as files,
			(
				select max(c.profile_name) from chats c where c.account_id = ${accountId} and c.key = any(${keys}::text[])
			) as "profileName"
		from chat_messages m
		where m.account_id = ${accountId} and m.chat = any(${keys}::text[])
	`
	return row ?? { messages: 0, files: [], profileName: null }
}

/** Deletes these chats with their messages, reactions and edits. */
export async function deleteChats(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<void> {
	await sql`
		select 1 from chats where account_id = ${accountId} and key = any(${keys}::text[]) order by key for update
	`
	await sql`delete from chat_marks where account_id = ${accountId} and chat = any(${keys}::text[])`
	await sql`delete from chat_messages where account_id = ${accountId} and chat = any(${keys}::text[])`
	await sql`delete from reply_checks where account_id = ${accountId} and chat = any(${keys}::text[])`
	await sql`delete from chats where account_id = ${accountId} and key = any(${keys}::text[])`
}

export interface HeldChatMessage {
	id: number
	chat: string
	direction: 'in' | 'out'
	/** Name of the person of the account who wrote it, as in `ChatMessageRow`. */
	author: string | null
	kind: string
	body: object
	status: string | null
	error: string | null
	at: Date
	replyText: string | null
	mediaName: string | null
	mediaType: string | null
	mediaState: string | null
	/** Storage key of the file; null without a stored file. */
	mediaKey: string | null
	/** Price of a reply in paise; null for a message without one. */
	pricePaise: number | null
	/** State of the price; null without one. */
	priceState: ChargeState | null
	/** Reactions to the message, its edits and its revocation. */
	marks: { kind: string; by: 'us' | 'them'; value: string; at: string }[]
}

/** Returns the next messages after an id, in the order of ids, of these chats or of all when `keys` is null. */
export async function listHeld(
	sql: Sql,
	accountId: AccountId,
	{ keys, after, limit }: { keys: readonly string[] | null; after: number; limit: number },
): Promise<HeldChatMessage[]> {
	return sql<HeldChatMessage[]>`
		select m.id, m.chat, m.direction, ${authorName(sql, sql`m.author_id`)} as author, m.kind, m.body, m.status::text, m.error, m.at,
			m.reply_text as "replyText", m.media_name as "mediaName", m.media_type as "mediaType", m.media_state as "mediaState",
			m.media_key as "mediaKey", c.price_paise as "pricePaise", c.state as "priceState",
			coalesce((
				select jsonb_agg(jsonb_build_object(
					'kind', k.kind, 'by', case when k.is_own then 'us' else 'them' end, 'value', k.value, 'at', k.at
				))
				from chat_marks k
				where k.account_id = ${accountId} and k.target_wamid = m.wamid
			), '[]') as marks
		from chat_messages m
		left join reply_charges c on c.account_id = ${accountId} and c.message_id = m.id
		where m.account_id = ${accountId} and m.id > ${after} ${keys ? sql`and m.chat = any(${keys}::text[])` : sql``}
		order by m.id
		limit ${limit}
	`
}
