import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from './message-id.ts'

/** A program's reference of a message, which it can search for, and metadata that its events return. */
export interface MessageReference {
	reference: string | null
	metadata: Record<string, string> | null
}

/** Inserts the references of a campaign's new messages, which have the numbers from `before` + 1 in this order. */
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

/**
 * Inserts the references of a campaign's new messages by number, and marks the campaign. A number without a message,
 * such as one that has opted out, gets none.
 */
export async function insertReferencesByNumber(
	sql: Sql,
	accountId: AccountId,
	{
		campaignId,
		recipients,
	}: { campaignId: number; recipients: readonly ({ number: string } & Partial<MessageReference>)[] },
): Promise<void> {
	const noted = recipients.filter(({ reference = null, metadata = null }) => reference !== null || metadata !== null)
	if (noted.length === 0) return
	await sql`
		insert into message_references (account_id, campaign_id, seq, reference, metadata)
		select ${accountId}::bigint, ${campaignId}::bigint, m.seq, n.reference, n.metadata::json
		from unnest(
			${noted.map(({ number }) => number)}::text[], ${noted.map(({ reference }) => reference ?? null)}::text[],
			${noted.map(({ metadata }) => (metadata ? JSON.stringify(metadata) : null))}::text[]
		) as n (number, reference, metadata)
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.number = n.number
	`
	await markReferences(sql, accountId, campaignId)
}

/** Copies references to the messages of a retry, from the messages of the first campaign that they send again. */
export async function copyReferences(
	sql: Sql,
	accountId: AccountId,
	{ firstId, retryId }: { firstId: number; retryId: number },
): Promise<void> {
	const { count } = await sql`
		insert into message_references (account_id, campaign_id, seq, reference, metadata)
		select ${accountId}::bigint, ${retryId}::bigint, m.seq, r.reference, r.metadata
		from message_references r
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = ${retryId} and m.origin_seq = r.seq
		where r.account_id = ${accountId} and r.campaign_id = ${firstId}
	`
	if (count > 0) await markReferences(sql, accountId, retryId)
}

async function markReferences(sql: Sql, accountId: AccountId, campaignId: number): Promise<void> {
	await sql`
		update campaigns set has_references = true
		where account_id = ${accountId} and id = ${campaignId} and has_references is not true
	`
}

/** Returns the references of these messages; a message without one is left out. */
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
