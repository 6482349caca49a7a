import type { OwnerId, Sql } from '#lib/server/db.ts'
import { messageColumns } from '../message-columns.ts'
import type { ChatMessageRow, MessageBody } from '../queries.ts'

export interface NewMessage {
	chat: string
	kind: string
	body: MessageBody
	/** What the list shows of it. */
	line: string
	replyWamid?: string | null
	requestId?: string | null
	pricePaise?: number
	media?: { type: string; name: string; key: string } | null
	/** Whether the caller sends it itself; otherwise a worker does. */
	isClaimed: boolean
}

/** Locks the chat, or begins it, so that what the list shows of it is written by one at a time. */
export async function lockChat(sql: Sql, owner: OwnerId, { key, at }: { key: string; at: Date }): Promise<void> {
	await sql`
		insert into chats (account_id, key, last_at) values (${owner}, ${key}, ${at})
		on conflict (account_id, key) do update set last_at = chats.last_at
	`
}

/** Writes a pending message. Undefined when there is one of this request id. */
export async function insertOutgoing(
	sql: Sql,
	owner: OwnerId,
	{ at, ...message }: NewMessage & { at: Date },
): Promise<ChatMessageRow | undefined> {
	const { media = null } = message
	const [row] = await sql<ChatMessageRow[]>`
		insert into chat_messages as m (
			account_id, chat, direction, kind, body, status, at, reply_wamid, request_id, claimed_at, price_paise,
			media_type, media_name, media_key, media_state
		)
		values (
			${owner}, ${message.chat}, 'out', ${message.kind}, ${JSON.stringify(message.body)}, 'pending', ${at},
			${message.replyWamid ?? null}, ${message.requestId ?? null}, ${message.isClaimed ? at : null},
			${message.pricePaise ?? 0}, ${media?.type ?? null}, ${media?.name ?? null}, ${media?.key ?? null},
			${media ? 'ready' : null}
		)
		on conflict do nothing
		returning ${messageColumns(sql)}
	`
	return row
}

/** What the list shows, unless something newer is there. */
export async function updateLastLine(
	sql: Sql,
	owner: OwnerId,
	{ key, line, at }: { key: string; line: string; at: Date },
): Promise<void> {
	await sql`
		update chats set last_line = ${line}, last_at = ${at}
		where account_id = ${owner} and key = ${key} and last_at <= ${at}::timestamptz
	`
}

/** Takes messages that wait for a worker. Each is taken once: what is taken may have been sent. */
export async function claimUnsent(sql: Sql, owner: OwnerId, limit: number): Promise<ChatMessageRow[]> {
	return sql<ChatMessageRow[]>`
		with waiting as materialized (
			select id from chat_messages
			where account_id = ${owner} and status = 'pending' and claimed_at is null
			order by id
			limit ${limit}
			for update skip locked
		)
		update chat_messages m set claimed_at = now()
		from waiting w
		where m.account_id = ${owner} and m.id = w.id
		returning ${messageColumns(sql)}
	`
}

/** Accounts with messages that wait for a worker. */
export async function listUnsentAllOwners(sql: Sql, only: OwnerId | null): Promise<{ owner: OwnerId }[]> {
	return sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from chat_messages
		where status = 'pending' and claimed_at is null ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}
