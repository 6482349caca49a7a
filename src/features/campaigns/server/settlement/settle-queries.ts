import type { MessageStatus } from '#features/campaigns/contract.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** News about one message: what it became, and why. */
export interface StatusUpdate {
	campaignId: number
	seq: number
	status: Exclude<MessageStatus, 'pending'>
	at: Date
	wamid: string | null
	errorCode: number | null
	error: string | null
	held: boolean
}

/**
 * How many messages of a campaign went from one status to another; `firstSeq` is the lowest of them. Where one of the two
 * is `failed`, all of them failed for the same reason.
 */
export interface Transition {
	campaignId: number
	was: MessageStatus
	now: MessageStatus
	errorCode: number | null
	error: string | null
	count: number
	firstSeq: number
}

/**
 * Raises the status of many messages, of one or several campaigns, in one statement, and counts what changed.
 * An update that would lower a status, or repeats it, changes nothing: only -1 (unconfirmed) failures give way to any word of the network.
 * Our own failures that say a message never went out (-1, -2, -4) hold for pending ones alone: a report may have come meanwhile.
 * Rows are locked in the order of their key, so that two batches about the same messages wait instead of deadlocking.
 * A message that there is news of is no longer left over for a retry or for proof.
 */
export async function raiseStatuses(sql: Sql, owner: OwnerId, updates: StatusUpdate[]): Promise<Transition[]> {
	return sql<Transition[]>`
		with news as (
			select * from unnest(
				${updates.map((u) => u.campaignId)}::bigint[], ${updates.map((u) => u.seq)}::integer[],
				${updates.map((u) => u.status)}::text[]::message_status[], ${updates.map((u) => u.at.toISOString())}::text[]::timestamptz[],
				${updates.map((u) => u.wamid)}::text[], ${updates.map((u) => u.errorCode)}::integer[],
				${updates.map((u) => u.error)}::text[], ${updates.map((u) => String(u.held))}::text[]::boolean[]
			) as n (campaign_id, seq, status, at, wamid, error_code, error, held)
		), before as materialized (
			select m.campaign_id, m.seq, m.status, m.error_code
			from campaign_messages m
			join news n on m.campaign_id = n.campaign_id and m.seq = n.seq
			where m.account_id = ${owner}
			order by m.campaign_id, m.seq
			for update of m
		), raised as (
			update campaign_messages m
			set status = n.status,
				status_at = n.at,
				sent_at = case when n.status = 'failed' then m.sent_at else coalesce(m.sent_at, n.at) end,
				wamid = coalesce(n.wamid, m.wamid),
				held_for_quality = n.held and n.status = 'sent',
				error_code = n.error_code,
				error = n.error
			from before b
			join news n on n.campaign_id = b.campaign_id and n.seq = b.seq
			where m.account_id = ${owner} and m.campaign_id = b.campaign_id and m.seq = b.seq
				and (
					(n.status > b.status and (b.status = 'pending' or coalesce(n.error_code, 0) not in (-1, -2, -4)))
					or (b.status = 'failed' and b.error_code = -1 and n.status in ('sent', 'failed') and coalesce(n.error_code, 0) >= 0)
				)
			returning m.campaign_id, m.seq, b.status as was, m.status as now, m.error,
				case when m.status = 'failed' then m.error_code else b.error_code end as error_code
		), settled as (
			delete from unsettled_messages l using before b
			where l.account_id = ${owner} and l.campaign_id = b.campaign_id and l.seq = b.seq
		)
		select campaign_id as "campaignId", was, now, error_code as "errorCode", max(error) as error,
			count(*)::int as count, min(seq) as "firstSeq"
		from raised
		group by campaign_id, was, now, error_code
		order by campaign_id, was, now, error_code
	`
}

/** What a batch changes in one campaign's counters. */
export interface CounterChange {
	campaignId: number
	pending: number
	sent: number
	delivered: number
	read: number
	failed: number
}

export interface CountedCampaign {
	name: string
	pricePaise: number
	waivedCount: number
	/** Whether this very change completed it. */
	completed: boolean
}

/** Moves a campaign's counters; with the last pending message settled it is completed. Locks the campaign's row. */
export async function countCampaign(sql: Sql, owner: OwnerId, change: CounterChange): Promise<CountedCampaign> {
	const [row] = await sql<CountedCampaign[]>`
		update campaigns
		set pending_count = pending_count + ${change.pending},
			sent_count = sent_count + ${change.sent},
			delivered_count = delivered_count + ${change.delivered},
			read_count = read_count + ${change.read},
			failed_count = failed_count + ${change.failed},
			updated_at = now(),
			finished_at = case when pending_count + ${change.pending} = 0 then coalesce(finished_at, now()) end,
			status = case
				when status in ('pending', 'processing', 'paused') and pending_count + ${change.pending} = 0 then 'completed' else status end,
			status_reason = case when pending_count + ${change.pending} = 0 and status = 'paused' then null else status_reason end
		where account_id = ${owner} and id = ${change.campaignId}
		returning name, price_paise as "pricePaise", waived_count as "waivedCount",
			${change.pending}::int <> 0 and pending_count = 0 and status = 'completed' as completed
	`
	if (!row) throw new Error(`campaign ${change.campaignId} is gone`)
	return row
}

export async function updateWaived(sql: Sql, owner: OwnerId, campaign: { id: number; change: number }): Promise<void> {
	await sql`
		update campaigns set waived_count = waived_count + ${campaign.change}
		where account_id = ${owner} and id = ${campaign.id}
	`
}

/** Adds to (or, with a negative count, takes from) how many messages failed for a reason. */
export async function countFailures(
	sql: Sql,
	owner: OwnerId,
	failure: { campaignId: number; errorCode: number; error: string; count: number },
): Promise<void> {
	await sql`
		insert into campaign_failures as f (account_id, campaign_id, error_code, error, message_count)
		values (${owner}, ${failure.campaignId}, ${failure.errorCode}, ${failure.error}, ${failure.count})
		on conflict (account_id, campaign_id, error_code) do update
		set message_count = f.message_count + excluded.message_count,
			error = case when excluded.message_count > 0 then excluded.error else f.error end
	`
}

export interface DayChange {
	sent: number
	delivered: number
	read: number
	failed: number
	spentPaise: number
}

/** Adds to today's figures (Indian time) of an account. */
export async function addToToday(sql: Sql, owner: OwnerId, change: DayChange): Promise<void> {
	await sql`
		insert into daily_totals as d (account_id, day, sent, delivered, read, failed, spent_paise)
		values (
			${owner}, (now() at time zone 'Asia/Kolkata')::date,
			${change.sent}, ${change.delivered}, ${change.read}, ${change.failed}, ${change.spentPaise}
		)
		on conflict (account_id, day) do update
		set sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered, read = d.read + excluded.read,
			failed = d.failed + excluded.failed, spent_paise = d.spent_paise + excluded.spent_paise
	`
}
