import type { OwnerId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/indian-today.ts'
import type { RefundReason } from '../refund-contract.ts'
import { FLOOR_DAYS, USUAL_DAYS, WINDOW_DAYS } from '../rules.ts'

/** What the wallet can pay. Locks it until the end of the transaction. */
export async function lockAvailable(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select available_paise as paise from wallets where account_id = ${owner} for update
	`
	return row?.paise ?? 0
}

/** What an account was charged and given back without a look, lately and in the time before. */
export interface RefundHistory {
	/** Messages given back in the last days that the floor counts. */
	recentCount: number
	refundedPaise: number
	/** Before anything was given back of it. */
	chargedPaise: number
	usualRefundedPaise: number
	usualChargedPaise: number
}

const history = (sql: Sql) => sql`
	coalesce(sum(refunded_count) filter (where day > ${INDIAN_TODAY} - ${FLOOR_DAYS}::int), 0)::int as "recentCount",
	coalesce(sum(refunded_paise) filter (where day > ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint as "refundedPaise",
	coalesce(sum(spent_paise + refunded_paise) filter (where day > ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "chargedPaise",
	coalesce(sum(refunded_paise) filter (where day <= ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "usualRefundedPaise",
	coalesce(sum(spent_paise + refunded_paise) filter (where day <= ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "usualChargedPaise"
`

/** Call it with the wallet locked. */
export async function getHistory(sql: Sql, owner: OwnerId): Promise<RefundHistory> {
	const [row] = await sql<RefundHistory[]>`
		select ${history(sql)} from daily_totals
		where account_id = ${owner} and day > ${INDIAN_TODAY} - ${WINDOW_DAYS + USUAL_DAYS}::int
	`
	if (!row) throw new Error('a sum has one row')
	return row
}

/** Messages of a campaign at one price that failed and are still charged. */
export interface Kept {
	campaignId: number
	pricePaise: number
	reason: RefundReason
	waitingCount: number
	refusedCount: number
}

/** Call it with the wallet locked. */
export async function listKept(sql: Sql, owner: OwnerId, campaignIds: readonly number[]): Promise<Kept[]> {
	return sql<Kept[]>`
		select campaign_id as "campaignId", price_paise as "pricePaise", reason, waiting_count as "waitingCount",
			refused_count as "refusedCount"
		from waiting_refunds
		where account_id = ${owner} and campaign_id = any(${campaignIds}::bigint[])
	`
}

/** Writes how many wait and are refused now. Where some begin to wait, admins are to be notified. */
export async function writeKept(sql: Sql, owner: OwnerId, kept: readonly Kept[]): Promise<void> {
	await sql`
		insert into waiting_refunds as w (account_id, campaign_id, price_paise, reason, waiting_count, refused_count)
		select ${owner}::bigint, n.*
		from unnest(
			${kept.map((k) => k.campaignId)}::bigint[], ${kept.map((k) => k.pricePaise)}::integer[],
			${kept.map((k) => k.reason)}::text[], ${kept.map((k) => k.waitingCount)}::integer[],
			${kept.map((k) => k.refusedCount)}::integer[]
		) as n (campaign_id, price_paise, reason, waiting_count, refused_count)
		on conflict (account_id, campaign_id, price_paise, reason) do update
		set waiting_count = excluded.waiting_count, refused_count = excluded.refused_count,
			first_at = case when w.waiting_count = 0 then excluded.first_at else w.first_at end,
			last_at = case when w.waiting_count < excluded.waiting_count then excluded.last_at else w.last_at end,
			admins_notified_at = case when w.waiting_count = 0 then null else w.admins_notified_at end
	`
}

export interface WaitingRefund {
	owner: OwnerId
	userId: number
	name: string
	email: string
	/** Null for templates sent from chats. */
	campaignId: number | null
	campaignName: string | null
	campaignMessages: number | null
	reason: RefundReason
	pricePaise: number
	messages: number
	decisions: number
	firstAt: Date
	lastAt: Date
	history: RefundHistory
	total: number
}

/**
 * Refunds that wait for an admin, those of deleted people included, the oldest first. Those of templates sent from chats are
 * decided together: each is a campaign of one message.
 */
export async function listWaitingAllOwners(
	sql: Sql,
	{ limit, offset }: { limit: number; offset: number },
): Promise<WaitingRefund[]> {
	const rows = await sql<(Omit<WaitingRefund, 'history'> & RefundHistory)[]>`
		with waiting as (
			select w.account_id, c.id as campaign_id, c.name as campaign_name, c.total_count, w.price_paise, w.reason,
				sum(w.waiting_count)::int as messages, sum(w.decisions)::int as decisions,
				min(w.first_at) filter (where w.waiting_count > 0) as first_at, max(w.last_at) as last_at
			from waiting_refunds w
			left join campaigns c on c.account_id = w.account_id and c.id = w.campaign_id and c.kind <> 'chat'
			group by w.account_id, c.id, c.name, c.total_count, w.price_paise, w.reason
			having sum(w.waiting_count) > 0
		)
		select w.account_id as owner, u.id as "userId", u.name, u.email, w.campaign_id as "campaignId",
			w.campaign_name as "campaignName", w.total_count as "campaignMessages", w.reason, w.price_paise as "pricePaise",
			w.messages, w.decisions, w.first_at as "firstAt", w.last_at as "lastAt",
			coalesce(h."recentCount", 0) as "recentCount", coalesce(h."refundedPaise", 0) as "refundedPaise",
			coalesce(h."chargedPaise", 0) as "chargedPaise", coalesce(h."usualRefundedPaise", 0) as "usualRefundedPaise",
			coalesce(h."usualChargedPaise", 0) as "usualChargedPaise", count(*) over () as total
		from waiting w
		join users u on u.account_id = w.account_id
		left join (
			select account_id, ${history(sql)} from daily_totals
			where day > ${INDIAN_TODAY} - ${WINDOW_DAYS + USUAL_DAYS}::int
				and account_id in (select account_id from waiting_refunds where waiting_count > 0)
			group by account_id
		) h on h.account_id = w.account_id
		order by w.first_at, w.account_id, w.campaign_id, w.price_paise, w.reason
		limit ${limit} offset ${offset}
	`
	return rows.map(({ recentCount, refundedPaise, chargedPaise, usualRefundedPaise, usualChargedPaise, ...row }) => ({
		...row,
		history: { recentCount, refundedPaise, chargedPaise, usualRefundedPaise, usualChargedPaise },
	}))
}

/** What waits for an account in all, in paise. */
export async function sumWaiting(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select coalesce(sum(waiting_count::bigint * price_paise), 0)::bigint as paise from waiting_refunds
		where account_id = ${owner} and waiting_count > 0
	`
	return row?.paise ?? 0
}

export interface Decision extends Pick<Kept, 'pricePaise' | 'reason'> {
	/** Null for templates sent from chats. */
	campaignId: number | null
	isApproved: boolean
	/** How many of those that wait. */
	messages: number
	/** How many decisions there had been when this one was made. */
	decisions: number
}

/**
 * Takes messages from those that wait, and returns how many of which campaign, with the number of decisions about it before.
 * None when they are no longer there, or another decision came first. Call it with the wallet locked.
 */
export async function takeWaiting(
	sql: Sql,
	owner: OwnerId,
	decision: Decision,
): Promise<{ campaignId: number; messages: number; decisions: number }[]> {
	const { campaignId, pricePaise, reason, isApproved, messages, decisions } = decision
	return sql<{ campaignId: number; messages: number; decisions: number }[]>`
		with seen as (
			select w.campaign_id, w.decisions, sum(w.decisions) over () as all_decisions,
				least(w.waiting_count, ${messages}::int - (sum(w.waiting_count) over (order by w.campaign_id) - w.waiting_count)) as taken
			from waiting_refunds w
			join campaigns c on c.account_id = ${owner} and c.id = w.campaign_id
			where w.account_id = ${owner} and w.price_paise = ${pricePaise} and w.reason = ${reason}
				and ${campaignId === null ? sql`c.kind = 'chat'` : sql`w.campaign_id = ${campaignId}`}
		)
		update waiting_refunds w
		set waiting_count = w.waiting_count - s.taken, decisions = w.decisions + 1,
			approved_count = w.approved_count + case when ${isApproved} then s.taken else 0 end,
			refused_count = w.refused_count + case when ${isApproved} then 0 else s.taken end
		from seen s
		where w.account_id = ${owner} and w.campaign_id = s.campaign_id and w.price_paise = ${pricePaise} and w.reason = ${reason}
			and s.taken > 0 and s.all_decisions = ${decisions}
			and ${messages} = (select sum(taken) from seen where taken > 0)
		returning w.campaign_id as "campaignId", s.taken::int as messages, s.decisions
	`
}

export async function findCampaignName(sql: Sql, owner: OwnerId, campaignId: number): Promise<string | null> {
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns where account_id = ${owner} and id = ${campaignId}
	`
	return row?.name ?? null
}

/** Accounts with refunds that began to wait and that no admin was notified of. */
export async function listUnannouncedAllOwners(
	sql: Sql,
	only: OwnerId | null,
): Promise<{ owner: OwnerId; name: string }[]> {
	return sql<{ owner: OwnerId; name: string }[]>`
		select distinct w.account_id as owner, u.name
		from waiting_refunds w
		join users u on u.account_id = w.account_id
		where w.waiting_count > 0 and w.admins_notified_at is null
			${only === null ? sql`` : sql`and w.account_id = ${only}`}
	`
}

export async function updateAnnounced(sql: Sql, owner: OwnerId): Promise<void> {
	await sql`
		update waiting_refunds set admins_notified_at = now()
		where account_id = ${owner} and waiting_count > 0 and admins_notified_at is null
	`
}

/** The accounts of the admins who may sign in. */
export async function listAdminAccountsAllOwners(sql: Sql): Promise<OwnerId[]> {
	const rows = await sql<{ owner: OwnerId }[]>`
		select account_id as owner from users where role = 'admin' and is_active and deleted_at is null
	`
	return rows.map(({ owner }) => owner)
}
