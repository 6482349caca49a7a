import type { RefundReason } from '#features/wallet/rules.ts'
import type { Decided } from '#features/wallet/server/refund-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface WaitingRefund {
	accountId: AccountId
	userId: number
	name: string
	email: string
	/** Null for chat templates. */
	campaignId: number | null
	campaignName: string | null
	campaignMessages: number | null
	reason: RefundReason
	pricePaise: number
	messages: number
	decisions: number
	firstAt: Date
	lastAt: Date
	total: number
}

/**
 * Returns refunds that wait for an admin, oldest first, including refunds of deleted users. Chat templates of an
 * account are combined, since each is a campaign of one message.
 */
export async function listWaitingAllAccounts(
	sql: Sql,
	{ limit, offset }: { limit: number; offset: number },
): Promise<WaitingRefund[]> {
	return sql<WaitingRefund[]>`
		with waiting as (
			select w.account_id, c.id as campaign_id, c.name as campaign_name, c.total_count, w.price_paise, w.reason,
				sum(w.waiting_count)::int as messages, sum(w.decisions)::int as decisions,
				min(w.first_at) filter (where w.waiting_count > 0) as first_at, max(w.last_at) as last_at
			from waiting_refunds w
			left join campaigns c on c.account_id = w.account_id and c.id = w.campaign_id and c.kind <> 'chat'
			group by w.account_id, c.id, c.name, c.total_count, w.price_paise, w.reason
			having sum(w.waiting_count) > 0
		)
		select w.account_id as "accountId", u.id as "userId", u.name, u.email, w.campaign_id as "campaignId",
			w.campaign_name as "campaignName", w.total_count as "campaignMessages", w.reason, w.price_paise as "pricePaise",
			w.messages, w.decisions, w.first_at as "firstAt", w.last_at as "lastAt", count(*) over () as total
		from waiting w
		join users u on u.account_id = w.account_id
		order by w.first_at, w.account_id, w.campaign_id, w.price_paise, w.reason
		limit ${limit} offset ${offset}
	`
}

/** Returns the ids of the chat templates whose refunds are decided together. */
export async function listChatCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ pricePaise, reason }: Pick<Decided, 'pricePaise' | 'reason'>,
): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		select c.id
		from waiting_refunds w
		join campaigns c on c.account_id = ${accountId} and c.id = w.campaign_id
		where w.account_id = ${accountId} and w.price_paise = ${pricePaise} and w.reason = ${reason} and c.kind = 'chat'
	`
	return rows.map(({ id }) => id)
}

export async function findCampaignName(sql: Sql, accountId: AccountId, campaignId: number): Promise<string | null> {
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row?.name ?? null
}
