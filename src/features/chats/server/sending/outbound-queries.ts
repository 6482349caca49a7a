import { replyTerms } from '#features/pricing/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageBody } from '../history-queries.ts'

/** An outgoing message. */
export interface OutgoingMessage {
	id: number
	chat: string
	body: MessageBody
	/** The wamid of the quoted message; null without one. */
	replyWamid: string | null
}

export interface NewMessage {
	chat: string
	kind: string
	body: MessageBody
	/** Line of the message in the list of chats. */
	line: string
	replyWamid?: string | null
	requestId?: string | null
	media?: { type: string; name: string; key: string } | null
	/** True when the caller sends the message; false when a worker does. */
	isClaimed: boolean
	/** The id of the person who wrote it; a message of the product has none. */
	authorId?: number | undefined
}

/** Creates the chat if it is missing, and locks it, so that one transaction at a time updates its last line. */
export async function lockChat(sql: Sql, accountId: AccountId, { key, at }: { key: string; at: Date }): Promise<void> {
	await sql`
		insert into chats (account_id, key, last_at) values (${accountId}, ${key}, ${at})
		on conflict (account_id, key) do update set last_at = chats.last_at
	`
}

/** Inserts a pending message. Returns undefined when a message with this request id exists. */
export async function insertOutgoing(
	sql: Sql,
	accountId: AccountId,
	message: NewMessage & { at: Date },
): Promise<OutgoingMessage | undefined> {
	const { media = null, at } = message
	const [row] = await sql<OutgoingMessage[]>`
		insert into chat_messages (
			account_id, chat, direction, kind, body, status, at, reply_wamid, request_id, claimed_at,
			media_type, media_name, media_key, media_state, author_id
		)
		values (
			${accountId}, ${message.chat}, 'out', ${message.kind}, ${JSON.stringify(message.body)}, 'pending', ${at},
			${message.replyWamid ?? null}, ${message.requestId ?? null}, ${message.isClaimed ? at : null},
			${media?.type ?? null}, ${media?.name ?? null}, ${media?.key ?? null}, ${media ? 'ready' : null},
			${message.authorId ?? null}
		)
		on conflict do nothing
		returning id, chat, body, reply_wamid as "replyWamid"
	`
	return row
}

/** Links a message to the campaign that sends it and holds its status from now on. */
export async function linkToCampaign(
	sql: Sql,
	accountId: AccountId,
	{ id, campaignId }: { id: number; campaignId: number },
): Promise<void> {
	await sql`
		update chat_messages set campaign_id = ${campaignId}, status = null where account_id = ${accountId} and id = ${id}
	`
}

/** Updates the chat's last line, unless a newer message is stored. */
export async function updateLastLine(
	sql: Sql,
	accountId: AccountId,
	{ key, line, at }: { key: string; line: string; at: Date },
): Promise<void> {
	await sql`
		update chats set last_line = ${line}, last_at = ${at}
		where account_id = ${accountId} and key = ${key} and last_at <= ${at}::timestamptz
	`
}

/**
 * Claims a message that waits for a worker. Returns undefined when it is claimed already or no longer pending: a
 * claimed message may have been sent. `isPaid` is true when the account pays for replies to some market.
 */
export async function claimUnsent(sql: Sql, accountId: AccountId, id: number): Promise<ClaimedMessage | undefined> {
	const [row] = await sql<ClaimedMessage[]>`
		update chat_messages m set claimed_at = date_trunc('milliseconds', now())
		from ${replyTerms(sql, accountId)} t
		where m.account_id = ${accountId} and m.id = ${id} and m.status = 'pending' and m.claimed_at is null
		returning m.id, m.chat, m.body, m.reply_wamid as "replyWamid", m.at, t.is_paid as "isPaid",
			m.claimed_at as "claimedAt"
	`
	return row
}

/** A claimed message, with the time at which it was written. */
export type ClaimedMessage = OutgoingMessage & { at: Date; isPaid: boolean; claimedAt: Date }

/** Returns true when `claimUnsent` has stored this claim. */
export async function hasClaimed(sql: Sql, accountId: AccountId, { id, claimedAt }: ClaimedMessage): Promise<boolean> {
	const rows = await sql`
		select 1 from chat_messages where account_id = ${accountId} and id = ${id} and claimed_at = ${claimedAt}::timestamptz
	`
	return rows.length > 0
}

/**
 * Claims all of an account's waiting messages without sending them, because they may have been sent before a restore. Returns
 * their number.
 */
export async function claimUnsentOfAll(sql: Sql, accountId: AccountId): Promise<number> {
	const { count } = await sql`
		update chat_messages set claimed_at = now()
		where account_id = ${accountId} and direction = 'out' and status = 'pending' and claimed_at is null
	`
	return count
}

/** Returns the highest message id; 0 without messages. */
export async function getLatestIdAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<{ id: number | null }[]>`select max(id) as id from chat_messages`
	return row?.id ?? 0
}
