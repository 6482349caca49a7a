import { BLOCK_SIZE } from '#features/delivery/rules.ts'
import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { CHARGED_PAISE, HELD_PAISE } from '../conditions.ts'

/** The campaigns to check: all that are unfinished, changed since a time, or due in one of these hours of the week. */
export interface CampaignScope {
	/** Null checks all campaigns. */
	since: Date | null
	/** Hours of the week, 0 to 167. */
	turns: readonly number[]
}

export const HOURS_OF_WEEK = 168

export interface CheckedCampaign {
	id: number
	/** Number of its messages. */
	messages: number
	/** True if some of its stored messages have a price of their own. */
	hasPrices: boolean | null
}

/** Returns the next `limit` campaigns to check with an id above `after`, with the number of their messages. */
export async function listToCheck(
	sql: Sql,
	accountId: AccountId,
	{ since, turns, after, limit }: CampaignScope & { after: number; limit: number },
): Promise<CheckedCampaign[]> {
	return sql<CheckedCampaign[]>`
		select id, total_count as messages,
			(has_message_prices or passed_on_count is not null) and messages_removed_at is null as "hasPrices"
		from campaigns
		where account_id = ${accountId} and id > ${after} and (
			${since}::timestamptz is null or updated_at >= ${since}::timestamptz or finished_at is null
			or (id % ${HOURS_OF_WEEK}::bigint)::int = any(${turns}::int[])
		)
		order by id
		limit ${limit}
	`
}

/**
 * Checks that the hold and the cost of campaigns are the price of their messages, that blocks add up to the counters, and that
 * each pending message has something that will settle it.
 */
export async function checkCampaigns(sql: Sql, accountId: AccountId, ids: readonly number[]): Promise<Finding[]> {
	return sql<Finding[]>`
		with checked as (
			select c.*, b.counts, r.kept, coalesce(l.held, 0) as held, coalesce(l.cost, 0) as cost, q.unclaimed, t.taken
			from campaigns c
			cross join lateral (
				select array[sum(pending), sum(sent), sum(delivered), sum(read), sum(failed)]::bigint[] as counts
				from campaign_blocks where account_id = ${accountId} and campaign_id = c.id
			) b
			cross join lateral (
				select sum(held_change_paise) as held, -sum(available_change_paise + held_change_paise) as cost
				from statement_lines where account_id = ${accountId} and campaign_id = c.id
			) l
			cross join lateral (
				select coalesce(sum((waiting_count + refused_count)::bigint * price_paise), 0)::bigint as kept from waiting_refunds
				where account_id = ${accountId} and campaign_id = c.id
			) r
			cross join lateral (
				select count(*) + coalesce((
					select sum(pending) from campaign_blocks
					where account_id = ${accountId} and campaign_id = c.id and block > c.claimed_through / ${BLOCK_SIZE}::int
				), 0) as unclaimed
				from campaign_messages
				where account_id = ${accountId} and campaign_id = c.id and seq > c.claimed_through
					and seq <= (c.claimed_through / ${BLOCK_SIZE}::int + 1) * ${BLOCK_SIZE}::int and status = 'pending'
			) q
			-- A claim may still contain messages that a status update has settled.
			cross join lateral (
				select count(*) as taken
				from (
					select unnest(seqs) as seq from message_claims where account_id = ${accountId} and campaign_id = c.id
					union all
					select seq from unsettled_messages where account_id = ${accountId} and campaign_id = c.id
				) t
				join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = c.id and m.seq = t.seq
				where m.status = 'pending' and m.seq <= c.claimed_through
			) t
			where c.account_id = ${accountId} and c.id = any(${ids}::bigint[])
		), broken as (
			select 'a campaign holds the price of its pending messages' as rule,
				format('campaign %s holds %s for %s pending at %s and %s more', id, held, pending_count, price_paise, pending_extra_paise) as detail
			from checked
			where held <> ${HELD_PAISE}
			union all
			select 'a campaign costs the price of its accepted messages', format('campaign %s cost %s, kept %s', id, cost, kept)
			from checked where cost <> ${CHARGED_PAISE} + kept
			union all
			select 'a campaign never costs less than nothing', format('campaign %s cost %s', id, cost)
			from checked
			where cost < 0
			union all
			select 'a campaign counts its messages', format('campaign %s has %s, its blocks %s', id, total_count, counts)
			from checked
			where total_count > 0 and messages_removed_at is null and counts is distinct from array[
				pending_count, sent_count, delivered_count, read_count, failed_count
			]::bigint[]
				or total_count <> pending_count + sent_count + delivered_count + read_count + failed_count
			union all
			select 'a pending message is in the queue, in flight, or waits',
				format('campaign %s: %s pending, %s never claimed, %s in flight or waiting', id, pending_count, unclaimed, taken)
			from checked
			where pending_count <> unclaimed + taken
		)
		select ${accountId}::bigint as "accountId", rule, detail from broken limit ${MAX_FINDINGS}
	`
}

/**
 * Checks that the sums of a campaign equal the sums over its messages with a price of their own, and that a message which
 * is passed on costs nothing.
 */
export async function checkPrices(sql: Sql, accountId: AccountId, campaignId: number): Promise<Finding[]> {
	return sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'a campaign sums the prices of its messages' as rule,
			format('campaign %s has %s pending and %s charged, its messages %s and %s, %s free ones cost money', c.id,
				c.pending_extra_paise, c.charged_extra_paise, m.pending, m.charged, m.paid) as detail
		from campaigns c
		cross join lateral (
			select
				coalesce(sum(price_paise - c.price_paise) filter (where status = 'pending'), 0) as pending,
				coalesce(sum(price_paise - c.price_paise) filter (where status in ('sent', 'delivered', 'read')), 0) as charged,
				count(*) filter (where is_free and price_paise > 0) as paid
			from campaign_messages
			where account_id = ${accountId} and campaign_id = ${campaignId} and price_paise is not null
		) m
		where c.account_id = ${accountId} and c.id = ${campaignId}
			and ((c.pending_extra_paise, c.charged_extra_paise) is distinct from (m.pending, m.charged) or m.paid > 0)
	`
}

/** Consecutive blocks of one campaign. */
export interface BlockRange {
	campaignId: number
	first: number
	/** The last block, inclusive. */
	last: number
}

/**
 * Checks that blocks count their messages, in campaigns that have both. The blocks of a month are removed before its messages,
 * once its campaigns are finalized.
 */
export async function checkBlocks(sql: Sql, accountId: AccountId, ranges: readonly BlockRange[]): Promise<Finding[]> {
	return sql<Finding[]>`
		with asked as (
			select n.* from unnest(
				${ranges.map((r) => r.campaignId)}::bigint[], ${ranges.map((r) => r.first)}::int[], ${ranges.map((r) => r.last)}::int[]
			) as n (campaign_id, first, last)
			join campaigns c on c.account_id = ${accountId} and c.id = n.campaign_id and c.messages_removed_at is null
		), counted as (
			select n.campaign_id, (m.seq - 1) / ${BLOCK_SIZE}::int as block,
				array[
					count(*) filter (where m.status = 'pending'), count(*) filter (where m.status = 'sent'),
					count(*) filter (where m.status = 'delivered'), count(*) filter (where m.status = 'read'),
					count(*) filter (where m.status = 'failed')
				] as counts
			from asked n
			cross join lateral (
				select seq, status from campaign_messages
				where account_id = ${accountId} and campaign_id = n.campaign_id
					and seq > n.first * ${BLOCK_SIZE}::int and seq <= (n.last + 1) * ${BLOCK_SIZE}::int
				offset 0
			) m
			group by 1, 2
		), kept as (
			select b.campaign_id, b.block, array[b.pending, b.sent, b.delivered, b.read, b.failed]::bigint[] as counts
			from asked n
			join campaign_blocks b on b.account_id = ${accountId} and b.campaign_id = n.campaign_id
				and b.block >= n.first and b.block <= n.last
		)
		select ${accountId}::bigint as "accountId", 'a block counts its messages' as rule,
			format('block %s of campaign %s has %s, counts %s', coalesce(c.block, k.block),
				coalesce(c.campaign_id, k.campaign_id), c.counts, k.counts) as detail
		from counted c
		full join kept k on k.campaign_id = c.campaign_id and k.block = c.block
		where c.counts is distinct from k.counts
		limit ${MAX_FINDINGS}
	`
}
