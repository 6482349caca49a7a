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
	at: Date
}

/** The last message to each chat, by key of the chat. */
type NewestOfChats = ReadonlyMap<string, NewMessage>

/** Creates missing chats, and locks all in the order of their keys, so that one transaction at a time updates their lines. */
export async function lockChats(sql: Sql, accountId: AccountId, chats: NewestOfChats): Promise<void> {
	const sorted = [...chats].toSorted(([a], [b]) => (a < b ? -1 : 1))
	await sql`
		insert into chats (account_id, key, last_at)
		select ${accountId}::bigint, n.key, n.at
		from unnest(
			${sorted.map(([key]) => key)}::text[], ${sorted.map(([, { at }]) => at.toISOString())}::text[]::timestamptz[]
		) as n (key, at)
		on conflict (account_id, key) do update set last_at = chats.last_at
	`
}

/** Inserts pending messages in the order of the list, except those whose request ids are stored. Returns the inserted ones. */
export async function insertOutgoing(
	sql: Sql,
	accountId: AccountId,
	messages: readonly NewMessage[],
): Promise<(OutgoingMessage & { requestId: string | null })[]> {
	return sql<(OutgoingMessage & { requestId: string | null })[]>`
		insert into chat_messages (
			account_id, chat, direction, kind, body, status, at, reply_wamid, request_id, claimed_at,
			media_type, media_name, media_key, media_state, author_id
		)
		select ${accountId}::bigint, n.chat, 'out', n.kind, n.body, 'pending'::message_status, n.at, n.reply_wamid, n.request_id, n.claimed_at,
			n.media_type, n.media_name, n.media_key, case when n.media_key is not null then 'ready' end, n.author_id
		from unnest(
			${messages.map(({ chat }) => chat)}::text[], ${messages.map(({ kind }) => kind)}::text[],
			${messages.map(({ body }) => JSON.stringify(body))}::text[]::jsonb[],
			${messages.map(({ at }) => at.toISOString())}::text[]::timestamptz[],
			${messages.map(({ replyWamid }) => replyWamid ?? null)}::text[],
			${messages.map(({ requestId }) => requestId ?? null)}::text[],
			${messages.map(({ isClaimed, at }) => (isClaimed ? at.toISOString() : null))}::text[]::timestamptz[],
			${messages.map(({ media }) => media?.type ?? null)}::text[],
			${messages.map(({ media }) => media?.name ?? null)}::text[],
			${messages.map(({ media }) => media?.key ?? null)}::text[],
			${messages.map(({ authorId }) => authorId ?? null)}::bigint[]
		) with ordinality as n (
			chat, kind, body, at, reply_wamid, request_id, claimed_at, media_type, media_name, media_key, author_id, place
		)
		order by n.place
		on conflict do nothing
		returning id, chat, body, reply_wamid as "replyWamid", request_id as "requestId"
	`
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

/** Updates the last lines of chats, unless a newer message is stored. */
export async function updateLastLines(
	sql: Sql,
	accountId: AccountId,
	chats: ReadonlyMap<string, Pick<NewMessage, 'line' | 'at'>>,
): Promise<void> {
	await sql`
		update chats c set last_line = n.line, last_at = n.at
		from unnest(
			${[...chats.keys()]}::text[], ${Array.from(chats.values(), ({ line }) => line)}::text[],
			${Array.from(chats.values(), ({ at }) => at.toISOString())}::text[]::timestamptz[]
		) as n (key, line, at)
		where c.account_id = ${accountId} and c.key = n.key and c.last_at <= n.at
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
