import type { OwnerId, Sql } from '#lib/server/db.ts'

/** Accounts with messages whose outcome is still unknown after so many seconds. */
export async function listUnconfirmedAllOwners(sql: Sql, seconds: number): Promise<OwnerId[]> {
	const rows = await sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from unsettled_messages
		where unknown_since < now() - ${seconds} * interval '1 second'
	`
	return rows.map((row) => row.owner)
}

export interface MessageKey {
	campaignId: number
	seq: number
}

/** Those messages of one account. */
export async function listUnconfirmed(
	sql: Sql,
	owner: OwnerId,
	{ seconds, limit }: { seconds: number; limit: number },
) {
	return sql<MessageKey[]>`
		select campaign_id as "campaignId", seq from unsettled_messages
		where account_id = ${owner} and unknown_since < now() - ${seconds} * interval '1 second'
		limit ${limit}
	`
}

/** A campaign that was ended with messages still unsent. */
export interface EndedCampaign {
	owner: OwnerId
	campaignId: number
	status: 'cancelled' | 'failed'
}

export async function listEndedAllOwners(sql: Sql): Promise<EndedCampaign[]> {
	return sql<EndedCampaign[]>`
		select account_id as owner, id as "campaignId", status from campaigns
		where finished_at is null and status in ('cancelled', 'failed') and pending_count > 0
	`
}

/**
 * Takes the next unsent messages of an ended campaign out of the queue: those never claimed, then those that waited for
 * another try. What is on the wire or of unknown outcome stays until it is settled.
 */
export async function takeUnsent(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, limit }: { campaignId: number; limit: number },
) {
	return sql<MessageKey[]>`
		with campaign as (
			select id, claimed_through, least(claimed_through + ${limit}::int, total_count) as through
			from campaigns
			where account_id = ${owner} and id = ${campaignId} and status in ('cancelled', 'failed')
			for update
		), moved as (
			update campaigns c set claimed_through = n.through from campaign n where c.account_id = ${owner} and c.id = n.id
		), waiting as (
			delete from unsettled_messages l using campaign n
			where l.account_id = ${owner} and l.campaign_id = n.id and l.retry_at is not null
			returning l.campaign_id, l.seq
		)
		select n.id as "campaignId", s.seq
		from campaign n
		cross join generate_series(n.claimed_through + 1, n.through) as s (seq)
		union all
		select campaign_id, seq from waiting
	`
}

/** Accounts with messages that were accepted so long ago that the network has given them up. */
export async function listExpiredAllOwners(sql: Sql, days: number): Promise<{ owner: OwnerId; campaignId: number }[]> {
	return sql<{ owner: OwnerId; campaignId: number }[]>`
		select account_id as owner, id as "campaignId" from campaigns
		where sent_count > 0 and coalesce(finished_at, created_at) < now() - ${days} * interval '1 day'
	`
}

export async function listExpired(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, days, limit }: { campaignId: number; days: number; limit: number },
) {
	return sql<MessageKey[]>`
		select campaign_id as "campaignId", seq from campaign_messages
		where account_id = ${owner} and campaign_id = ${campaignId} and status = 'sent'
			and sent_at < now() - ${days} * interval '1 day'
		limit ${limit}
	`
}

/** Campaigns that should have opened some minutes ago: their job has given up. */
export async function listOverdueAllOwners(
	sql: Sql,
	minutes: number,
): Promise<{ owner: OwnerId; campaignId: number }[]> {
	return sql<{ owner: OwnerId; campaignId: number }[]>`
		select account_id as owner, id as "campaignId" from campaigns
		where finished_at is null and status = 'pending' and opens_at < now() - ${minutes} * interval '1 minute'
	`
}
