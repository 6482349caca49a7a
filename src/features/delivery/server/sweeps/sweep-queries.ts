import { REPORTED_STEP_SECONDS } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from '../message/message-id.ts'

/** Returns accounts with messages whose outcome has been unknown for this many seconds. */
export async function listUnconfirmedAllAccounts(
	sql: Sql,
	{ seconds, only }: { seconds: number; only: AccountId | null },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from unsettled_messages
		where unknown_since < now() - ${seconds} * interval '1 second'
			${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Returns up to `limit` messages of one account whose outcome has been unknown for this many seconds. */
export async function listUnconfirmed(
	sql: Sql,
	accountId: AccountId,
	{ seconds, limit }: { seconds: number; limit: number },
): Promise<MessageId[]> {
	return sql<MessageId[]>`
		select campaign_id as "campaignId", seq from unsettled_messages
		where account_id = ${accountId} and unknown_since < now() - ${seconds} * interval '1 second'
		limit ${limit}
	`
}

/** A campaign that ended with unsent messages. */
export interface EndedCampaign {
	accountId: AccountId
	campaignId: number
	status: 'cancelled' | 'failed'
	/** The reason why a single message was not sent; null for other campaigns. */
	reason: string | null
}

/** Returns ended campaigns with messages that nothing else will settle: never claimed, or waiting for a retry. */
export async function listEndedAllAccounts(sql: Sql, only: AccountId | null): Promise<EndedCampaign[]> {
	const isEnded = sql`
		c.finished_at is null and c.status in ('cancelled', 'failed') and c.pending_count > 0
		${only === null ? sql`` : sql`and c.account_id = ${only}`}
	`
	const ended = sql`
		c.account_id as "accountId", c.id as "campaignId", c.status, case when c.kind <> 'campaign' then c.status_reason end as reason
	`
	return sql<EndedCampaign[]>`
		select ${ended} from campaigns c
		where ${isEnded} and c.claimed_through < c.total_count
		union
		select ${ended} from campaigns c
		where ${isEnded} and exists (
			select 1 from unsettled_messages u
			where u.account_id = c.account_id and u.campaign_id = c.id and u.retry_at is not null
		)
	`
}

interface Take {
	campaignId: number
	limit: number
}

/** Removes the next never claimed messages of an ended campaign from its queue. Returns them. */
export async function takeNeverClaimed(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, limit }: Take,
): Promise<MessageId[]> {
	return sql<MessageId[]>`
		with campaign as (
			select id, claimed_through, least(claimed_through + ${limit}::int, total_count) as through
			from campaigns
			where account_id = ${accountId} and id = ${campaignId} and status in ('cancelled', 'failed')
				and claimed_through < total_count
			for update
		), moved as (
			update campaigns c set claimed_through = n.through from campaign n where c.account_id = ${accountId} and c.id = n.id
		)
		select n.id as "campaignId", s.seq
		from campaign n
		cross join generate_series(n.claimed_through + 1, n.through) as s (seq)
	`
}

/**
 * Removes messages of an ended campaign that wait for a retry from its queue and returns them. Messages in flight or of unknown
 * outcome stay until they are settled. Locks a message before its place in the queue, as `settle` does, and skips locked
 * messages.
 */
export async function takeWaiting(sql: Sql, accountId: AccountId, { campaignId, limit }: Take): Promise<MessageId[]> {
	return sql<MessageId[]>`
		with waiting as materialized (
			select m.seq
			from unsettled_messages u
			join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = u.campaign_id and m.seq = u.seq
			where u.account_id = ${accountId} and u.campaign_id = ${campaignId} and u.retry_at is not null
			limit ${limit}
			for update of m skip locked
		)
		delete from unsettled_messages u using waiting w
		where u.account_id = ${accountId} and u.campaign_id = ${campaignId} and u.seq = w.seq and u.retry_at is not null
		returning u.campaign_id as "campaignId", u.seq
	`
}

/**
 * Returns campaigns that started over `days` days ago and have accepted messages without a delivery. Omits senders without a
 * status update about messages sent since the start, because then the webhooks may be missing. The comparison allows for the
 * precision of `reported_through`, so that the last messages of an account that sends no more are included.
 */
export async function listExpiredAllAccounts(
	sql: Sql,
	{ days, only }: { days: number; only: AccountId | null },
): Promise<{ accountId: AccountId; campaignId: number }[]> {
	return sql<{ accountId: AccountId; campaignId: number }[]>`
		select c.account_id as "accountId", c.id as "campaignId"
		from campaigns c
		join senders s on s.account_id = c.account_id
			and s.reported_through > c.started_at - ${REPORTED_STEP_SECONDS} * interval '1 second'
		where c.sent_count > 0 and c.started_at < now() - ${days} * interval '1 day'
			${only === null ? sql`` : sql`and c.account_id = ${only}`}
	`
}

/** Returns the SQL condition that the account's sender `s` has status updates about the message `m` or later ones. */
const isReportedOn = (sql: Sql, accountId: AccountId) => sql`
	s.account_id = ${accountId} and m.sent_at < s.reported_through + ${REPORTED_STEP_SECONDS} * interval '1 second'
`

interface Expiry {
	days: number
	/** Messages sent earlier are left out: a restored backup may have lost their status updates. */
	sentAfter: Date | null
}

/**
 * Returns the next `limit` messages of one campaign that were accepted over `days` days ago and not delivered, with a
 * `seq` above `after`.
 */
export async function listExpired(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, days, after, limit, sentAfter }: Expiry & { campaignId: number; after: number; limit: number },
): Promise<MessageId[]> {
	return sql<MessageId[]>`
		select m.campaign_id as "campaignId", m.seq
		from campaign_messages m
		join senders s on ${isReportedOn(sql, accountId)}
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.seq > ${after} and m.status = 'sent'
			and m.sent_at < now() - ${days} * interval '1 day' and m.sent_at > ${sentAfter ?? '-infinity'}::timestamptz
		order by m.seq
		limit ${limit}
	`
}
