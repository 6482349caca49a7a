import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from '../message/message-id.ts'

/** A pending message to a person's former number, or a second message of a campaign to the present number. */
export interface MessageToMove extends MessageId {
	/** The person's present number. */
	present: string
	/** True when the person gets or got another message of the campaign, which has begun. */
	isRepeated: boolean
}

/** Locks the account's sender as a claim does, so that no message is claimed until the transaction ends. */
export async function lockSender(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`select 1 from senders where account_id = ${accountId} for no key update`
}

/**
 * Locks and returns the pending messages after `after`, in the lock order of settling: messages to a former number, of
 * campaigns created while the number was the person's, and repeated messages to the present number. A throttled message
 * counts as sent, because Meta restricts accounts that try it again. Returns none for a person who hides the number.
 */
export async function lockMessagesToMove(
	sql: Sql,
	accountId: AccountId,
	{ number, after, limit }: { number: string; after: MessageId; limit: number },
): Promise<MessageToMove[]> {
	return sql<MessageToMove[]>`
		select m.campaign_id as "campaignId", m.seq, f.now_id as present,
			r.is_repeated and c.started_at is not null as "isRepeated"
		from former_ids f
		join campaign_messages m on m.account_id = ${accountId} and m.number in (${number}, f.now_id) and m.status = 'pending'
			and (m.campaign_id, m.seq) > (${after.campaignId}::bigint, ${after.seq}::integer)
		join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and c.kind in ('campaign', 'api')
			and c.finished_at is null and c.created_at <= f.changed_at
		cross join lateral (
			select c.kind = 'campaign' and exists (
				select 1 from campaign_messages o
				where o.account_id = ${accountId} and o.campaign_id = m.campaign_id
					and o.number = case when m.number = ${number} then f.now_id else ${number} end
					and (o.error_code = ${THROTTLED_CODE} or o.status <> 'failed' and (m.number = ${number} or o.sent_at <= f.changed_at))
			) as is_repeated
		) r
		where f.account_id = ${accountId} and f.id = ${number} and position('.' in f.now_id) = 0
			and (m.number = ${number} or r.is_repeated)
		order by m.campaign_id, m.seq limit ${limit}
		for update of m
	`
}

/**
 * Lists the messages of these campaigns that WhatsApp may have: claimed messages, and messages of unknown outcome. Reads both
 * in one statement, because a message moves from the first table to the second.
 */
export async function listInFlight(
	sql: Sql,
	accountId: AccountId,
	ids: readonly number[],
): Promise<(MessageId & { isClaimed: boolean })[]> {
	return sql<(MessageId & { isClaimed: boolean })[]>`
		select campaign_id as "campaignId", unnest(seqs) as seq, true as "isClaimed" from message_claims
		where account_id = ${accountId} and campaign_id = any(${ids}::bigint[])
		union all
		select campaign_id, seq, false from unsettled_messages
		where account_id = ${accountId} and campaign_id = any(${ids}::bigint[]) and unknown_since is not null
	`
}

/** Writes the present numbers of messages. Keeps a different number of the list in `listed_number`. */
export async function updateNumbers(sql: Sql, accountId: AccountId, messages: readonly MessageToMove[]): Promise<void> {
	await sql`
		update campaign_messages m set number = n.present, listed_number = nullif(coalesce(m.listed_number, m.number), n.present)
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.present)}::text[]
		) as n (campaign_id, seq, present)
		where m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.seq = n.seq
	`
}
