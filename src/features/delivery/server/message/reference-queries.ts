import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from './message-id.ts'

/** A program's reference of a message, which it can search for, and metadata that its events return. */
export interface MessageReference {
	reference: string | null
	metadata: Record<string, string> | null
}

/** Inserts the references of messages that were added to a campaign after `before` others, in the order of the messages. */
export async function insertReferences(
	sql: Sql,
	accountId: AccountId,
	{
		campaignId,
		before,
		messages,
	}: { campaignId: number; before: number; messages: readonly Partial<MessageReference>[] },
): Promise<void> {
	const noted = messages.flatMap(({ reference = null, metadata = null }, index) =>
		reference === null && metadata === null ? [] : [{ seq: before + index + 1, reference, metadata }],
	)
	if (noted.length === 0) return
	await sql`
		insert into message_references (account_id, campaign_id, seq, reference, metadata)
		select ${accountId}::bigint, ${campaignId}::bigint, n.seq, n.reference, n.metadata::json
		from unnest(
			${noted.map(({ seq }) => seq)}::int[], ${noted.map(({ reference }) => reference)}::text[],
			${noted.map(({ metadata }) => metadata && JSON.stringify(metadata))}::text[]
		) as n (seq, reference, metadata)
	`
}

/** Returns the references of these messages, of those that have any. */
export async function listReferences(
	sql: Sql,
	accountId: AccountId,
	messages: readonly MessageId[],
): Promise<(MessageId & MessageReference)[]> {
	return sql<(MessageId & MessageReference)[]>`
		select r.campaign_id as "campaignId", r.seq, r.reference, r.metadata
		from unnest(
			${messages.map(({ campaignId }) => campaignId)}::bigint[], ${messages.map(({ seq }) => seq)}::int[]
		) as n (campaign_id, seq)
		join message_references r on r.account_id = ${accountId} and r.campaign_id = n.campaign_id and r.seq = n.seq
	`
}

/** Deletes the references of messages to a person who is erased. */
export async function deleteReferences(sql: Sql, accountId: AccountId, messages: readonly MessageId[]): Promise<void> {
	await sql`
		delete from message_references r
		using unnest(
			${messages.map(({ campaignId }) => campaignId)}::bigint[], ${messages.map(({ seq }) => seq)}::int[]
		) as n (campaign_id, seq)
		where r.account_id = ${accountId} and r.campaign_id = n.campaign_id and r.seq = n.seq
	`
}
