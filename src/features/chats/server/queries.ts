import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { readNumberPart } from '#lib/phone/phone-reader.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { containing } from '#lib/server/db/search/like-pattern.ts'
import { spelled } from '#lib/server/db/search/search-text.ts'
import { IS_OF_PERSON, isShown, type ChatFilter } from './view-queries.ts'

export interface Chat {
	key: string
	contactName: string | null
	profileName: string | null
	lastLine: string
	/** Null for a number without a chat. */
	lastAt: Date | null
	unread: number
	windowExpiresAt: Date | null
	isOptedOut: boolean
	/** The person who has the chat; null for an unassigned one. */
	assignee: { _id: string; name: string } | null
	isClosed: boolean
}

const chatColumns = (sql: Sql) => sql`
	c.key, nullif(trim(k.first_name || ' ' || coalesce(k.last_name, '')), '') as "contactName",
	c.profile_name as "profileName", c.last_line as "lastLine", c.last_at as "lastAt", c.unread,
	c.window_expires_at as "windowExpiresAt", coalesce(o.is_opted_out, false) as "isOptedOut",
	(select jsonb_build_object('_id', u.id::text, 'name', u.name) from users u where u.id = c.assigned_to) as assignee,
	c.closed_at is not null as "isClosed"
`

const withContacts = (sql: Sql, accountId: AccountId, chats = sql`chats`) => sql`
	from ${chats} c
	left join contacts k on k.account_id = ${accountId} and k.number = c.key
	left join opt_outs o on o.account_id = ${accountId} and o.number = c.key
`

export interface ChatQuery {
	search: string
	limit: number
	/** The last chat of the previous page; null for the first page. */
	before: { at: string; key: string } | null
	filter: ChatFilter
}

/**
 * Returns chats, newest first, and one more than the limit when there are more. Without a search, an index selects the page,
 * and only the chats of the page are joined with the contacts.
 */
export async function listChats(
	sql: Sql,
	accountId: AccountId,
	{ search, limit, before, filter }: ChatQuery,
): Promise<Chat[]> {
	const page = sql`
		c.account_id = ${accountId} and ${isShown(sql, accountId, filter)}
		${before ? sql`and (c.last_at, c.key) < (${before.at}::timestamptz, ${before.key})` : sql``}
		${search ? matching(sql, search) : sql``}
		order by c.last_at desc, c.key desc
		limit ${limit + 1}
	`
	const rows = search
		? await sql<Chat[]>`select ${chatColumns(sql)} ${withContacts(sql, accountId)} where ${page}`
		: await sql<Chat[]>`
			with page as materialized (select c.* from chats c where ${page})
			select ${chatColumns(sql)} ${withContacts(sql, accountId, sql`page`)}
			order by c.last_at desc, c.key desc
		`
	return markErased(sql, accountId, rows)
}

/** Marks chats with erased people as opted out. Their opt-out is stored under the erased form of the number only. */
async function markErased(sql: Sql, accountId: AccountId, rows: Chat[]): Promise<Chat[]> {
	const erased = await listErased(
		sql,
		accountId,
		rows.map(({ key }) => key),
	)
	return erased.size === 0 ? rows : rows.map((row) => ({ ...row, isOptedOut: row.isOptedOut || erased.has(row.key) }))
}

const matching = (sql: Sql, search: string) => {
	const numberPart = readNumberPart(search)
	const named = sql`
		k.search_text like ${containing(spelled(search))}
		or ${containsFolded(sql, sql`c.profile_name`, search)} or c.key = ${search}
	`
	return numberPart === null ? sql`and (${named})` : sql`and (${named} or c.key like ${`%${numberPart}%`})`
}

export async function findChat(sql: Sql, accountId: AccountId, key: string): Promise<Chat | undefined> {
	const rows = await sql<Chat[]>`
		select ${chatColumns(sql)} ${withContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.key = ${key}
	`
	return (await markErased(sql, accountId, rows))[0]
}

/** Returns the key of the newest chat with this WhatsApp user id; undefined without one. */
export async function findKeyOfUser(sql: Sql, accountId: AccountId, userId: string): Promise<string | undefined> {
	const [row] = await sql<{ key: string }[]>`
		select key from chats where account_id = ${accountId} and user_id = ${userId}
		order by inbound_at desc nulls last limit 1
	`
	return row?.key
}

/** Returns an empty chat for a number that has none, with the data of its contact. */
export async function getNewChat(sql: Sql, accountId: AccountId, key: string): Promise<Chat> {
	const none = sql`(
		select ${key}::text as key, null::text as profile_name, '' as last_line, null::timestamptz as last_at, 0 as unread,
			null::timestamptz as window_expires_at, null::bigint as assigned_to, null::timestamptz as closed_at
	)`
	const rows = await markErased(
		sql,
		accountId,
		await sql<Chat[]>`select ${chatColumns(sql)} ${withContacts(sql, accountId, none)}`,
	)
	if (!rows[0]) throw new Error('a row without a table is always there')
	return rows[0]
}

/**
 * Returns the SQL condition that the customer of chat `c` waits for an answer: the latest message is the customer's, and it
 * is unread or the service window is open, and the chat is open. Failed messages, messages that no person wrote and campaign
 * messages are no answers. When `inbound_at` equals `last_at`, the latest message is the customer's, so the messages are not read.
 */
const isWaiting = (sql: Sql, accountId: AccountId) => sql`
	c.account_id = ${accountId} and c.closed_at is null
	and (c.unread > 0 or c.last_at > now() - interval '25 hours' and c.window_expires_at > now())
	and (
		c.inbound_at = c.last_at
		or 'in' = (
			select m.direction from chat_messages m
			where m.account_id = ${accountId} and m.chat = c.key and m.kind <> 'system' and m.status is distinct from 'failed'
				and ${IS_OF_PERSON}
			order by m.at desc, m.id desc
			limit 1
		)
	)
`

/** Returns up to `limit` chats whose customers wait for an answer: the newest, or those who have waited longest. */
export async function listWaiting(
	sql: Sql,
	accountId: AccountId,
	{ limit, isOldestFirst = false }: { limit: number; isOldestFirst?: boolean },
): Promise<Chat[]> {
	const order = isOldestFirst ? sql`c.last_at, c.key` : sql`c.last_at desc, c.key desc`
	return sql<Chat[]>`
		with page as materialized (
			select c.* from chats c where ${isWaiting(sql, accountId)}
			order by ${order}
			limit ${limit}
		)
		select ${chatColumns(sql)} ${withContacts(sql, accountId, sql`page`)}
		order by ${order}
	`
}

/** Returns the number of chats whose customers wait for an answer, and how many of them are unread. */
export async function countWaiting(sql: Sql, accountId: AccountId): Promise<{ count: number; unread: number }> {
	const [row] = await sql<{ count: number; unread: number }[]>`
		select count(*) as count, count(*) filter (where c.unread > 0) as unread
		from chats c where ${isWaiting(sql, accountId)}
	`
	return row ?? { count: 0, unread: 0 }
}

/** Returns the `limit` newest chats with unread messages. */
export async function listUnread(sql: Sql, accountId: AccountId, limit: number): Promise<Chat[]> {
	return sql<Chat[]>`
		with page as materialized (
			select c.* from chats c where c.account_id = ${accountId} and c.unread > 0
			order by c.last_at desc, c.key desc
			limit ${limit}
		)
		select ${chatColumns(sql)} ${withContacts(sql, accountId, sql`page`)}
		order by c.last_at desc, c.key desc
	`
}

export async function countUnreadChats(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ chats: number }[]>`
		select count(*) as chats from chats where account_id = ${accountId} and unread > 0
	`
	return row?.chats ?? 0
}

export interface Mark {
	targetWamid: string
	kind: 'reaction' | 'edit' | 'revoke'
	isOwn: boolean
	value: string
}

/** Returns reactions, edits and revocations of messages. Ignores marks that were sent from a chat outside `chats`. */
export async function listMarks(
	sql: Sql,
	accountId: AccountId,
	{ chats, wamids }: { chats: string[]; wamids: string[] },
): Promise<Mark[]> {
	if (wamids.length === 0) return []
	return sql<Mark[]>`
		select k.target_wamid as "targetWamid", k.kind, k.is_own as "isOwn", k.value
		from chat_marks k
		where k.account_id = ${accountId} and k.target_wamid = any(${wamids}::text[]) and k.chat = any(${chats}::text[])
	`
}

/**
 * Clears the unread counter. Returns the wamid for a read receipt, once per newest message; undefined when the chat does not
 * exist.
 */
export async function updateRead(
	sql: Sql,
	accountId: AccountId,
	key: string,
): Promise<{ receiptFor: string | null } | undefined> {
	const [row] = await sql<{ receiptFor: string | null }[]>`
		with before as (
			select key, inbound_wamid, receipt_wamid from chats where account_id = ${accountId} and key = ${key} for update
		)
		update chats c set unread = 0, receipt_wamid = b.inbound_wamid
		from before b
		where c.account_id = ${accountId} and c.key = b.key
		returning case when b.inbound_wamid is distinct from b.receipt_wamid then b.inbound_wamid end as "receiptFor"
	`
	return row
}

/**
 * Returns the numbers that get no automatic reply: those whose people, or the account for them, have opted out, and those of
 * erased people. Contacts of the phone app are opted out without a word, and an answer to their own message is no marketing.
 */
export async function listUnanswered(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<ReadonlySet<string>> {
	const rows = await sql<{ number: string }[]>`
		select number from opt_outs
		where account_id = ${accountId} and number = any(${numbers}::text[]) and is_opted_out and because <> 'phone_app'
	`
	const erased = await listErased(sql, accountId, numbers)
	return new Set([...rows.map(({ number }) => number), ...erased.keys()])
}

/** Returns true when no marketing may be sent to this number. */
export async function isOptedOut(sql: Sql, accountId: AccountId, number: string): Promise<boolean> {
	const rows = await sql`
		select 1 from opt_outs where account_id = ${accountId} and number = ${number} and is_opted_out
	`
	return rows.length > 0 || (await listErased(sql, accountId, [number])).size > 0
}
