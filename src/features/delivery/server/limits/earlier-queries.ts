import { COUNTED_FOR, type EarlierMessage, type Position } from '#features/limits/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Messages of a campaign that one statement reads. */
const PART = 5000

/**
 * Returns a part of the messages that an account has sent within a day, after a position, and the position up to which they
 * were read; null at the end. The first part also has the messages in flight and those of unknown outcome. Skips campaigns
 * that ended earlier.
 */
export async function listEarlier(
	sql: Sql,
	accountId: AccountId,
	after: Position,
): Promise<{ messages: EarlierMessage[]; through: Position | null }> {
	const unsettled = after.campaignId === 0 ? await listInFlight(sql, accountId) : []
	const [part] = await sql<{ campaignId: number; from: number; through: number }[]>`
		select id as "campaignId", p.from, least(claimed_through, p.from + ${PART}) as through
		from campaigns
		cross join lateral (select case when id = ${after.campaignId} then ${after.seq}::integer else 0 end as from) p
		where account_id = ${accountId} and id >= ${after.campaignId} and claimed_through > p.from and started_at is not null
			and (finished_at is null or finished_at > now() - interval '25 hours')
		order by id limit 1
	`
	if (!part) return { messages: unsettled, through: null }
	const { campaignId, from, through } = part
	const messages = await sql<EarlierMessage[]>`
		select campaign_id as "campaignId", seq, hashtextextended(number, 0)::text as person, sent_at as at
		from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq > ${from} and seq <= ${through}
			and status <> 'pending' and sent_at > now() - ${COUNTED_FOR}
	`
	return { messages: [...unsettled, ...messages], through: { campaignId, seq: through } }
}

/** Lists the account's claimed messages and its messages of unknown outcome. WhatsApp may have accepted either. */
async function listInFlight(sql: Sql, accountId: AccountId): Promise<EarlierMessage[]> {
	return sql<EarlierMessage[]>`
		select m.campaign_id as "campaignId", m.seq, hashtextextended(m.number, 0)::text as person, k.at
		from (
			select campaign_id, unnest(seqs) as seq, now() as at from message_claims where account_id = ${accountId}
			union all
			select campaign_id, seq, unknown_since from unsettled_messages
			where account_id = ${accountId} and unknown_since > now() - ${COUNTED_FOR}
		) k
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
		where m.status = 'pending'
	`
}
