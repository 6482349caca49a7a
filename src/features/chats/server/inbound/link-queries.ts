import type { AccountId, Sql } from '#lib/server/db.ts'

/** A reply whose quoted message was unknown when the reply arrived. */
export interface UnlinkedReply {
	id: number
	chat: string
	kind: string
	replyWamid: string
	at: Date
}

/** Returns the given wamids that belong to chat messages. */
export async function listChatWamids(sql: Sql, accountId: AccountId, wamids: string[]): Promise<Set<string>> {
	if (wamids.length === 0) return new Set()
	const rows = await sql<{ wamid: string }[]>`
		select wamid from chat_messages where account_id = ${accountId} and wamid = any(${wamids}::text[])
	`
	return new Set(rows.map(({ wamid }) => wamid))
}

/** Returns accounts with replies whose quoted message is still searched for. */
export async function listUnlinkedAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from chat_messages
		where link_until is not null ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Ends expired searches. Returns up to `limit` replies whose search continues, newest first, and locks them. */
export async function lockUnlinked(sql: Sql, accountId: AccountId, limit: number): Promise<UnlinkedReply[]> {
	await sql`
		update chat_messages set link_until = null where account_id = ${accountId} and link_until is not null and link_until < now()
	`
	return sql<UnlinkedReply[]>`
		select id, chat, kind, reply_wamid as "replyWamid", at from chat_messages
		where account_id = ${accountId} and link_until is not null
		order by id desc
		limit ${limit}
		for update skip locked
	`
}

/**
 * Stores the campaign and the text of the quoted message, or nulls for a message of the chat, which is found by its wamid. Ends
 * the search.
 */
export async function updateLinked(
	sql: Sql,
	accountId: AccountId,
	links: { id: number; campaignId: number | null; text: string | null }[],
): Promise<void> {
	await sql`
		update chat_messages m set reply_campaign_id = n.campaign_id, reply_text = n.text, link_until = null
		from unnest(
			${links.map(({ id }) => id)}::bigint[], ${links.map(({ campaignId }) => campaignId)}::bigint[],
			${links.map(({ text }) => text)}::text[]
		) as n (id, campaign_id, text)
		where m.account_id = ${accountId} and m.id = n.id
	`
}
