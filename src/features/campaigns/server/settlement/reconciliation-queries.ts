import type { AccountFinding } from '#features/wallet/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/**
 * Checks, over all accounts, that every hold and cost is the price of the messages it stands for, and that every counter
 * equals what it counts; or of one account alone, which even a distributed database reads at one moment. Reads only; a
 * sound database yields nothing.
 */
export async function reconcileCampaignsAllOwners(sql: Sql, only: OwnerId | null = null): Promise<AccountFinding[]> {
	const within = only === null ? sql`true` : sql`account_id = ${only}`
	const ofCampaign = only === null ? sql`` : sql`and c.account_id = ${only}`
	return sql<AccountFinding[]>`
		with by_campaign as (
			select account_id, campaign_id,
				sum(held_change_paise) as held,
				-sum(available_change_paise + held_change_paise) as cost
			from ledger_entries where campaign_id is not null and ${within} group by account_id, campaign_id
		), counted as (
			select account_id, campaign_id, count(*) as total,
				count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'sent') as sent,
				count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'read') as read,
				count(*) filter (where status = 'failed') as failed
			from campaign_messages where ${within} group by account_id, campaign_id
		), by_block as (
			select account_id, campaign_id, array[sum(pending), sum(sent), sum(delivered), sum(read), sum(failed)]::bigint[] as counts
			from campaign_blocks where ${within} group by account_id, campaign_id
		)
		select c.account_id as owner, 'a campaign holds the price of its pending messages' as rule,
			format('campaign %s holds %s for %s pending at %s', c.id, b.held, c.pending_count, c.price_paise) as detail
		from campaigns c
		left join by_campaign b on b.account_id = c.account_id and b.campaign_id = c.id
		where coalesce(b.held, 0) <> c.pending_count::bigint * c.price_paise ${ofCampaign}
		union all
		select c.account_id, 'a campaign costs the price of its accepted messages',
			format('campaign %s cost %s', c.id, b.cost)
		from campaigns c
		left join by_campaign b on b.account_id = c.account_id and b.campaign_id = c.id
		where coalesce(b.cost, 0)
			<> (c.sent_count + c.delivered_count + c.read_count - c.waived_count)::bigint * c.price_paise ${ofCampaign}
		union all
		select b.account_id, 'a campaign never costs less than nothing', format('campaign %s cost %s', b.campaign_id, b.cost)
		from by_campaign b
		where b.cost < 0
		union all
		select c.account_id, 'a campaign counts its messages',
			format('campaign %s: %s', c.id, to_jsonb(n) - 'account_id' - 'campaign_id')
		from campaigns c
		left join counted n on n.account_id = c.account_id and n.campaign_id = c.id
		where (c.total_count, c.pending_count, c.sent_count, c.delivered_count, c.read_count, c.failed_count)
			is distinct from (
				coalesce(n.total, 0), coalesce(n.pending, 0), coalesce(n.sent, 0),
				coalesce(n.delivered, 0), coalesce(n.read, 0), coalesce(n.failed, 0)
			) ${ofCampaign}
		union all
		select c.account_id, 'a campaign''s blocks count its messages', format('campaign %s: %s', c.id, b.counts)
		from campaigns c
		left join by_block b on b.account_id = c.account_id and b.campaign_id = c.id
		where c.total_count > 0 and b.counts is distinct from array[
			c.pending_count, c.sent_count, c.delivered_count, c.read_count, c.failed_count
		]::bigint[] ${ofCampaign}
	`
}
