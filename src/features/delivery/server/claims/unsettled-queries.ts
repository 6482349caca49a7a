import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** A message that waits for a retry, or whose outcome is unknown. */
export interface UnsettledMessage {
	campaignId: number
	seq: number
	attempts: number
	/** Milliseconds until the retry; null for an unknown outcome. */
	retryInMs: number | null
	/** The endpoint that refused the message, which is sent again on the other one; absent for any other message. */
	refusedBy?: SendEndpoint | null
}

/** Writes messages that wait for a retry or a proof, unless a status update has settled them. */
export async function insertUnsettled(sql: Sql, accountId: AccountId, messages: UnsettledMessage[]): Promise<void> {
	await sql`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, retry_at, unknown_since, refused_by)
		select m.account_id, m.campaign_id, m.seq, u.attempts,
			now() + u.retry_in_ms * interval '1 millisecond', case when u.retry_in_ms is null then now() end, u.refused_by
		from unnest(
			${messages.map((u) => u.campaignId)}::bigint[], ${messages.map((u) => u.seq)}::integer[],
			${messages.map((u) => u.attempts)}::integer[], ${messages.map((u) => u.retryInMs)}::float8[],
			${messages.map((u) => u.refusedBy ?? null)}::text[]
		) as u (campaign_id, seq, attempts, retry_in_ms, refused_by)
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = u.campaign_id and m.seq = u.seq
			and m.status = 'pending'
		on conflict do nothing
	`
}
