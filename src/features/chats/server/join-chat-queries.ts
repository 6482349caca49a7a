import { WINDOW_MS } from '#features/chats/rules.ts'
import { moveNotes } from '#features/customers/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

/** Returns the keys of an account's chats that may be WhatsApp's own form of a number. */
export async function listWhatsappForms(sql: Sql, accountId: AccountId): Promise<string[]> {
	const chats = await sql<{ key: string }[]>`
		select key from chats where account_id = ${accountId} and key ~ '^(521|54[1-3]|55)[0-9]{10}$'
	`
	return chats.map(({ key }) => key)
}

/** Locks the existing chats with these keys, in the order of the keys. */
export async function lockChats(
	sql: Sql,
	accountId: AccountId,
	keys: readonly string[],
): Promise<{ key: string; inboundAt: Date | null }[]> {
	return sql<{ key: string; inboundAt: Date | null }[]>`
		select key, inbound_at as "inboundAt" from chats
		where account_id = ${accountId} and key = any(${keys}::text[]) order by key for update
	`
}

/** Returns the given keys in whose chats a customer has written since the key's time `at`. */
export async function listWrittenSince(
	sql: Sql,
	accountId: AccountId,
	since: readonly { key: string; at: Date }[],
): Promise<Set<string>> {
	const rows = await sql<{ key: string }[]>`
		select c.key from unnest(
			${since.map(({ key }) => key)}::text[], ${since.map(({ at }) => at.toISOString())}::text[]::timestamptz[]
		) as n (key, at)
		join chats c on c.account_id = ${accountId} and c.key = n.key and c.inbound_at > n.at
	`
	return new Set(rows.map(({ key }) => key))
}

/**
 * Moves a chat to another key, merging it into the chat that has this key. A chat whose customer wrote after `until` belongs
 * to the number's next owner: then moves only the messages until `until`, and returns true.
 */
export async function joinChat(
	sql: Sql,
	accountId: AccountId,
	{ from, into, until = null }: { from: string; into: string; until?: Date | null },
): Promise<boolean> {
	const locked = await lockChats(sql, accountId, [from, into])
	const inboundAt = locked.find(({ key }) => key === from)?.inboundAt ?? null
	if (until !== null && inboundAt !== null && inboundAt > until) {
		await moveUntil(sql, accountId, { from, into, until })
		return true
	}
	await sql`
		insert into chats as c (
			account_id, key, profile_name, last_line, last_at, unread, window_expires_at, inbound_wamid, inbound_at,
			receipt_wamid, user_id, assigned_to, closed_at
		)
		select account_id, ${into}, profile_name, last_line, last_at, unread, window_expires_at, inbound_wamid, inbound_at,
			receipt_wamid, user_id, assigned_to, closed_at
		from chats where account_id = ${accountId} and key = ${from}
		on conflict (account_id, key) do update set
			profile_name = coalesce(c.profile_name, excluded.profile_name),
			last_line = case when excluded.last_at > c.last_at then excluded.last_line else c.last_line end,
			last_at = greatest(c.last_at, excluded.last_at),
			unread = c.unread + excluded.unread,
			window_expires_at = greatest(c.window_expires_at, excluded.window_expires_at),
			inbound_wamid = case
				when c.inbound_at is null or excluded.inbound_at > c.inbound_at
				then coalesce(excluded.inbound_wamid, c.inbound_wamid) else c.inbound_wamid end,
			inbound_at = greatest(c.inbound_at, excluded.inbound_at),
			user_id = coalesce(c.user_id, excluded.user_id),
			assigned_to = case when c.closed_at is not null and excluded.closed_at is null
				then coalesce(excluded.assigned_to, c.assigned_to) else coalesce(c.assigned_to, excluded.assigned_to) end,
			closed_at = case when c.closed_at is not null then excluded.closed_at end
	`
	await sql`update chat_messages set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await sql`update chat_marks set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await sql`update reply_checks set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await moveNotes(sql, accountId, { from, into })
	await sql`delete from chats where account_id = ${accountId} and key = ${from}`
	return false
}

/**
 * Moves messages and notes until a time to a chat, created when missing, with its person. The chat of the next owner is open and
 * unassigned. Call `updateChats` for both chats afterwards.
 */
async function moveUntil(
	sql: Sql,
	accountId: AccountId,
	{ from, into, until }: { from: string; into: string; until: Date },
): Promise<void> {
	const isMoved = (time: Statement) => sql`account_id = ${accountId} and chat = ${from} and ${time} <= ${until}`
	await sql`
		insert into chats as c (account_id, key, last_at, inbound_at, window_expires_at, assigned_to)
		select ${accountId}::bigint, ${into}, n.last_at, n.inbound_at, n.inbound_at + ${WINDOW_MS} * interval '1 millisecond',
			f.assigned_to
		from (
			select max(at) as last_at, max(at) filter (where ${IS_OF_CUSTOMER}) as inbound_at
			from chat_messages where ${isMoved(sql`at`)}
		) n
		join chats f on f.account_id = ${accountId} and f.key = ${from}
		where n.last_at is not null
		on conflict (account_id, key) do update set
			last_at = greatest(c.last_at, excluded.last_at), inbound_at = greatest(c.inbound_at, excluded.inbound_at),
			window_expires_at = greatest(c.window_expires_at, excluded.window_expires_at),
			assigned_to = coalesce(c.assigned_to, excluded.assigned_to)
	`
	await sql`update chats set assigned_to = null, closed_at = null where account_id = ${accountId} and key = ${from}`
	await sql`update chat_messages set chat = ${into} where ${isMoved(sql`at`)}`
	await sql`update chat_marks set chat = ${into} where ${isMoved(sql`at`)}`
	await sql`update reply_checks set chat = ${into} where ${isMoved(sql`since`)}`
	await moveNotes(sql, accountId, { from, into, until })
}

/** SQL condition on a chat message that a customer wrote, and that therefore opened the service window. */
const IS_OF_CUSTOMER = verbatim(`direction = 'in' and kind <> 'system' and origin is null`)

/** Sets the WhatsApp user id of a chat. */
export async function updateUserId(
	sql: Sql,
	accountId: AccountId,
	{ key, userId }: { key: string; userId: string },
): Promise<void> {
	await sql`update chats set user_id = ${userId} where account_id = ${accountId} and key = ${key}`
}
