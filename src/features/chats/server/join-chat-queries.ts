import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the keys of an account's chats that may be WhatsApp's own form of a number. */
export async function listWhatsappForms(sql: Sql, accountId: AccountId): Promise<string[]> {
	const chats = await sql<{ key: string }[]>`
		select key from chats where account_id = ${accountId} and key ~ '^(521|54[1-3]|55)[0-9]{10}$'
	`
	return chats.map(({ key }) => key)
}

/**
 * Moves a chat to another key, merging it into the chat that has this key. With `until`, a chat in which its customer wrote later is left where it is: its number belongs to another person by then.
 */
export async function joinChat(
	sql: Sql,
	accountId: AccountId,
	{ from, into, until = null }: { from: string; into: string; until?: Date | null },
): Promise<void> {
	const locked = await sql<{ key: string; inboundAt: Date | null }[]>`
		select key, inbound_at as "inboundAt" from chats
		where account_id = ${accountId} and key = any(${[from, into]}::text[]) order by key for update
	`
	const inboundAt = locked.find(({ key }) => key === from)?.inboundAt ?? null
	if (until !== null && inboundAt !== null && inboundAt > until) return
	await sql`
		insert into chats as c (
			account_id, key, profile_name, last_line, last_at, unread, window_expires_at, inbound_wamid, inbound_at,
			receipt_wamid, user_id
		)
		select account_id, ${into}, profile_name, last_line, last_at, unread, window_expires_at, inbound_wamid, inbound_at,
			receipt_wamid, user_id
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
			user_id = coalesce(c.user_id, excluded.user_id)
	`
	await sql`update chat_messages set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await sql`update chat_marks set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await sql`update reply_checks set chat = ${into} where account_id = ${accountId} and chat = ${from}`
	await sql`delete from chats where account_id = ${accountId} and key = ${from}`
}

/** Sets the WhatsApp user id of a chat. */
export async function updateUserId(
	sql: Sql,
	accountId: AccountId,
	{ key, userId }: { key: string; userId: string },
): Promise<void> {
	await sql`update chats set user_id = ${userId} where account_id = ${accountId} and key = ${key}`
}
