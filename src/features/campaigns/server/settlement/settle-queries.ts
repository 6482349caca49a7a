import { isInUse } from '#features/auth/server/service.ts'
import { CAMPAIGN_TRANSITIONS } from '#features/campaigns/rules.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { CampaignKind } from '../queries.ts'
import type { ChangedMessage, StatusUpdate, StoredMessage } from './message-changes.ts'

export type { StatusUpdate }

/**
 * Locks the messages that the updates are about, in the order of their key, so that two batches about the same messages wait
 * instead of deadlocking. What is known of a message now is settled here: it no longer waits for a retry or for proof, which
 * is looked up for each only where the account has any that do. One that has been tried again since is left out; one with two
 * updates comes twice.
 * Returns them as they are stored, and the database's time in milliseconds.
 */
export async function lockMessages(
	sql: Sql,
	owner: OwnerId,
	updates: readonly StatusUpdate[],
): Promise<(StoredMessage & { lockedAtMs: number })[]> {
	return sql<(StoredMessage & { lockedAtMs: number })[]>`
		with reported as (
			select campaign_id, seq, attempt
			from unnest(
				${updates.map((u) => u.campaignId)}::bigint[], ${updates.map((u) => u.seq)}::integer[],
				${updates.map((u) => u.attempt ?? null)}::integer[]
			) as n (campaign_id, seq, attempt)
		), locked as materialized (
			select m.campaign_id, m.seq, m.status, m.error_code, m.sent_at, coalesce(m.held_back_count, 0) as held_back_count
			from campaign_messages m
			join reported n on m.campaign_id = n.campaign_id and m.seq = n.seq
				and (n.attempt is null or n.attempt = coalesce(m.held_back_count, 0))
			where m.account_id = ${owner}
			order by m.campaign_id, m.seq
			for update of m
		), settled as (
			delete from unsettled_messages u using locked l
			where u.account_id = ${owner} and u.campaign_id = l.campaign_id and u.seq = l.seq
				and exists (select 1 from unsettled_messages where account_id = ${owner})
		)
		select l.campaign_id as "campaignId", l.seq, l.status, l.error_code as "errorCode", l.sent_at as "sentAt",
			l.held_back_count as "heldBackCount", (extract(epoch from now()) * 1000)::float8 as "lockedAtMs"
		from locked l
	`
}

/**
 * Which of these campaigns try again what WhatsApp holds back. Call it with the messages locked: a statement that waits for
 * locks reads its other tables as they were before it waited, when a message that is not charged now may still have been.
 */
export async function listRetryingHeldBack(
	sql: Sql,
	owner: OwnerId,
	campaignIds: readonly number[],
): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		select c.id from campaigns c
		where c.account_id = ${owner} and c.id = any(${campaignIds}::bigint[])
			and c.retry_held_back and c.waived_count = 0 and c.status not in ('cancelled', 'failed')
			and ${isInUse(sql, sql`${owner}::bigint`)}
	`
	return rows.map(({ id }) => id)
}

/** The values, or none where all are null: `unnest` fills the shorter arrays up with nulls. */
function sparse<T>(values: (T | null)[]): (T | null)[] {
	return values.some((value) => value !== null) ? values : []
}

/** Writes the new state of locked messages. */
export async function writeMessages(sql: Sql, owner: OwnerId, messages: readonly ChangedMessage[]): Promise<void> {
	await sql`
		update campaign_messages m
		set status = n.status, status_at = to_timestamp(n.status_ms / 1000), sent_at = to_timestamp(n.sent_ms / 1000),
			wamid = case when n.status = 'pending' then null else coalesce(n.wamid, m.wamid) end,
			held_back_count = coalesce(n.held_back_count, m.held_back_count),
			held_for_quality = coalesce(n.held, false), error_code = n.error_code, error = n.error
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.status)}::text[]::message_status[],
			${messages.map((m) => m.statusAt.getTime())}::float8[],
			${messages.map((m) => m.sentAt?.getTime() ?? null)}::float8[],
			${sparse(messages.map((m) => m.wamid))}::text[], ${sparse(messages.map((m) => m.errorCode))}::integer[],
			${sparse(messages.map((m) => m.error))}::text[],
			${sparse(messages.map((m) => (m.held ? 'true' : null)))}::text[]::boolean[],
			${sparse(messages.map((m) => m.heldBackCount || null))}::smallint[]
		) as n (campaign_id, seq, status, status_ms, sent_ms, wamid, error_code, error, held, held_back_count)
		where m.account_id = ${owner} and m.campaign_id = n.campaign_id and m.seq = n.seq
	`
}

/** Lets messages wait for their next attempt, in so many hours from now. Call it with them locked. */
export async function insertHeldBack(
	sql: Sql,
	owner: OwnerId,
	messages: readonly { campaignId: number; seq: number; retryInHours: number | null }[],
): Promise<void> {
	await sql`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, retry_at)
		select ${owner}::bigint, n.campaign_id, n.seq, 0, now() + n.hours * interval '1 hour'
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.retryInHours)}::integer[]
		) as n (campaign_id, seq, hours)
		on conflict do nothing
	`
}

/** By how much a batch changes one campaign's counters. */
export interface CounterChange {
	campaignId: number
	pending: number
	sent: number
	delivered: number
	read: number
	failed: number
}

export interface CountedCampaign {
	id: number
	name: string
	kind: CampaignKind
	pricePaise: number
	waivedCount: number
	/** Whether this very change completed it. */
	completed: boolean
}

/**
 * Moves the counters of campaigns. A campaign whose last pending message is settled becomes completed; a completed one with a
 * message that waits again becomes processing. Locks the campaigns in the order of their ids. `at` is the database's time: on
 * a distributed table `now()` may not stand inside `case` or `coalesce`.
 */
export async function countCampaigns(
	sql: Sql,
	owner: OwnerId,
	{ changes, at }: { changes: readonly CounterChange[]; at: Date },
): Promise<CountedCampaign[]> {
	const { complete, tryAgain } = CAMPAIGN_TRANSITIONS
	return sql<CountedCampaign[]>`
		with changes as (
			select * from unnest(
				${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.pending)}::integer[],
				${changes.map((c) => c.sent)}::integer[], ${changes.map((c) => c.delivered)}::integer[],
				${changes.map((c) => c.read)}::integer[], ${changes.map((c) => c.failed)}::integer[]
			) as n (campaign_id, pending, sent, delivered, read, failed)
		), locked as materialized (
			select c.id from campaigns c
			where c.account_id = ${owner} and c.id = any(${changes.map((c) => c.campaignId)}::bigint[])
			order by c.id
			for update
		)
		update campaigns c
		set pending_count = c.pending_count + n.pending,
			sent_count = c.sent_count + n.sent,
			delivered_count = c.delivered_count + n.delivered,
			read_count = c.read_count + n.read,
			failed_count = c.failed_count + n.failed,
			updated_at = ${at},
			finished_at = case when c.pending_count + n.pending = 0 then coalesce(c.finished_at, ${at}::timestamptz) end,
			status = case
				when c.status = any(${complete.from}::text[]) and c.pending_count + n.pending = 0 then ${complete.to}
				when c.status = any(${tryAgain.from}::text[]) and c.pending_count + n.pending > 0 then ${tryAgain.to}
				else c.status end,
			status_reason = case
				when c.pending_count + n.pending = 0 and c.status = 'paused' then null else c.status_reason end
		from changes n
		join locked l on l.id = n.campaign_id
		where c.account_id = ${owner} and c.id = n.campaign_id
		returning c.id, c.name, c.kind, c.price_paise as "pricePaise", c.waived_count as "waivedCount",
			n.pending <> 0 and c.pending_count = 0 and c.status = ${complete.to} as completed
	`
}

export async function updateWaived(sql: Sql, owner: OwnerId, campaign: { id: number; change: number }): Promise<void> {
	await sql`
		update campaigns set waived_count = waived_count + ${campaign.change}
		where account_id = ${owner} and id = ${campaign.id}
	`
}
