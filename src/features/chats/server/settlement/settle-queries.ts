import type { MessageStatus } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface StoredMessage {
	id: number
	chat: string
	status: MessageStatus
	errorCode: number | null
	error: string | null
	wamid: string | null
	sentAt: Date | null
	statusAt: Date | null
	arrivedAt: Date | null
	usage: string | null
	/** True for a reply with a price. */
	isPaid: boolean
}

/**
 * Returns outgoing messages and locks them in the order of their ids, so that two batches about the same messages wait
 * for each other. Omits templates, which their campaigns settle, and messages of the phone app, which cost nothing.
 */
export async function lockMessages(sql: Sql, accountId: AccountId, ids: number[]): Promise<StoredMessage[]> {
	return sql<StoredMessage[]>`
		select id, chat, status, error_code as "errorCode", error, wamid, sent_at as "sentAt", status_at as "statusAt",
			arrived_at as "arrivedAt", usage,
			exists (select from reply_charges c where c.account_id = ${accountId} and c.message_id = m.id) as "isPaid"
		from chat_messages m
		where account_id = ${accountId} and id = any(${ids}::bigint[]) and direction = 'out' and campaign_id is null
			and origin is null
		order by id
		for update
	`
}

/** Stores the new state of locked messages. */
export async function writeMessages(sql: Sql, accountId: AccountId, messages: StoredMessage[]): Promise<void> {
	await sql`
		update chat_messages m
		set status = n.status, error_code = n.error_code, error = n.error, wamid = n.wamid, sent_at = n.sent_at,
			status_at = n.status_at, arrived_at = n.arrived_at, usage = n.usage
		from unnest(
			${messages.map((m) => m.id)}::bigint[], ${messages.map((m) => m.status)}::text[]::message_status[],
			${messages.map((m) => m.errorCode)}::integer[], ${messages.map((m) => m.error)}::text[],
			${messages.map((m) => m.wamid)}::text[],
			${messages.map((m) => m.sentAt?.toISOString() ?? null)}::text[]::timestamptz[],
			${messages.map((m) => m.statusAt?.toISOString() ?? null)}::text[]::timestamptz[],
			${messages.map((m) => m.arrivedAt?.toISOString() ?? null)}::text[]::timestamptz[],
			${messages.map((m) => m.usage)}::text[]
		) as n (id, status, error_code, error, wamid, sent_at, status_at, arrived_at, usage)
		where m.account_id = ${accountId} and m.id = n.id
	`
}

/** Returns the chats of these outgoing messages. */
export async function listChatsOf(sql: Sql, accountId: AccountId, ids: readonly number[]): Promise<string[]> {
	const rows = await sql<{ chat: string }[]>`
		select distinct chat from chat_messages
		where account_id = ${accountId} and id = any(${ids}::bigint[]) and direction = 'out'
	`
	return rows.map(({ chat }) => chat)
}

/** Returns the outgoing messages with these wamids. */
export async function findSentByWamid(
	sql: Sql,
	accountId: AccountId,
	wamids: string[],
): Promise<{ id: number; wamid: string }[]> {
	return sql<{ id: number; wamid: string }[]>`
		select id, wamid from chat_messages
		where account_id = ${accountId} and wamid = any(${wamids}::text[]) and direction = 'out'
	`
}

/** Returns the campaign of each of these messages; omits messages that are not templates. */
export async function listCampaignsOf(
	sql: Sql,
	accountId: AccountId,
	ids: readonly number[],
): Promise<{ id: number; campaignId: number }[]> {
	if (ids.length === 0) return []
	return sql<{ id: number; campaignId: number }[]>`
		select id, campaign_id as "campaignId" from chat_messages
		where account_id = ${accountId} and id = any(${ids}::bigint[]) and campaign_id is not null
	`
}

/** Returns accounts with messages that have been pending for `seconds`. */
export async function listUnconfirmedAllAccounts(
	sql: Sql,
	{ seconds, only }: { seconds: number; only: AccountId | null },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from chat_messages
		where status = 'pending' and at < now() - ${seconds} * interval '1 second'
			${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

export async function listUnconfirmed(
	sql: Sql,
	accountId: AccountId,
	{ seconds, limit }: { seconds: number; limit: number },
): Promise<{ id: number }[]> {
	return sql<{ id: number }[]>`
		select id from chat_messages
		where account_id = ${accountId} and status = 'pending' and at < now() - ${seconds} * interval '1 second'
		order by id
		limit ${limit}
	`
}
