import type { AccountId, Sql } from '#lib/server/db.ts'
import type { RefundReason } from '../rules.ts'

/** Locks the wallet until the transaction ends and returns its available balance in paise. */
export async function lockAvailable(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select available_paise as paise from wallets where account_id = ${accountId} for update
	`
	return row?.paise ?? 0
}

/** Charges and automatic refunds of an account, in the current window and in the usual period before it. */
export interface RefundHistory {
	/** Messages refunded automatically within FLOOR_DAYS. */
	recentCount: number
	refundedPaise: number
	/** Charges before refunds. */
	chargedPaise: number
	usualRefundedPaise: number
	usualChargedPaise: number
}

/** Messages of a campaign at one price and for one reason whose refund waits for an admin or was refused. They are still charged. */
export interface WaitingRefunds {
	campaignId: number
	pricePaise: number
	reason: RefundReason
	waitingCount: number
	refusedCount: number
}

/** Returns the waiting and refused refunds of these campaigns. Call with the wallet locked. */
export async function listWaitingRefunds(
	sql: Sql,
	accountId: AccountId,
	campaignIds: readonly number[],
): Promise<WaitingRefunds[]> {
	return sql<WaitingRefunds[]>`
		select campaign_id as "campaignId", price_paise as "pricePaise", reason, waiting_count as "waitingCount",
			refused_count as "refusedCount"
		from waiting_refunds
		where account_id = ${accountId} and campaign_id = any(${campaignIds}::bigint[])
	`
}

/**
 * Writes the counts of waiting and refused messages. Marks the admins' notification as due when messages begin to wait.
 */
export async function writeWaitingRefunds(
	sql: Sql,
	accountId: AccountId,
	waiting: readonly WaitingRefunds[],
): Promise<void> {
	await sql`
		insert into waiting_refunds as w (account_id, campaign_id, price_paise, reason, waiting_count, refused_count)
		select ${accountId}::bigint, n.*
		from unnest(
			${waiting.map((k) => k.campaignId)}::bigint[], ${waiting.map((k) => k.pricePaise)}::integer[],
			${waiting.map((k) => k.reason)}::text[], ${waiting.map((k) => k.waitingCount)}::integer[],
			${waiting.map((k) => k.refusedCount)}::integer[]
		) as n (campaign_id, price_paise, reason, waiting_count, refused_count)
		on conflict (account_id, campaign_id, price_paise, reason) do update
		set waiting_count = excluded.waiting_count, refused_count = excluded.refused_count,
			first_at = case when w.waiting_count = 0 then excluded.first_at else w.first_at end,
			last_at = case when w.waiting_count < excluded.waiting_count then excluded.last_at else w.last_at end,
			admins_notified_at = case when w.waiting_count = 0 then null else w.admins_notified_at end
	`
}

/** Returns the account's waiting refunds in paise. */
export async function sumWaiting(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select coalesce(sum(waiting_count::bigint * price_paise), 0)::bigint as paise from waiting_refunds
		where account_id = ${accountId} and waiting_count > 0
	`
	return row?.paise ?? 0
}

/** The subject of a decision: refunds of these campaigns at one price and for one reason. */
export interface Decided extends Pick<WaitingRefunds, 'pricePaise' | 'reason'> {
	campaignIds: readonly number[]
	isApproved: boolean
	/** Number of waiting messages that the decision covers. */
	messages: number
	/** Number of earlier decisions that the admin saw. */
	decisions: number
}

/**
 * Removes decided messages from the waiting refunds. Returns the number of removed messages per campaign with its
 * number of earlier decisions; empty when the messages are gone or another decision came first. Call with the wallet
 * locked.
 */
export async function takeWaiting(
	sql: Sql,
	accountId: AccountId,
	{ campaignIds, pricePaise, reason, isApproved, messages, decisions }: Decided,
): Promise<{ campaignId: number; messages: number; decisions: number }[]> {
	return sql<{ campaignId: number; messages: number; decisions: number }[]>`
		with seen as (
			select campaign_id, decisions, sum(decisions) over () as all_decisions,
				least(waiting_count, ${messages}::int - (sum(waiting_count) over (order by campaign_id) - waiting_count)) as taken
			from waiting_refunds
			where account_id = ${accountId} and price_paise = ${pricePaise} and reason = ${reason}
				and campaign_id = any(${campaignIds}::bigint[])
		)
		update waiting_refunds w
		set waiting_count = w.waiting_count - s.taken, decisions = w.decisions + 1,
			approved_count = w.approved_count + case when ${isApproved} then s.taken else 0 end,
			refused_count = w.refused_count + case when ${isApproved} then 0 else s.taken end
		from seen s
		where w.account_id = ${accountId} and w.campaign_id = s.campaign_id and w.price_paise = ${pricePaise} and w.reason = ${reason}
			and s.taken > 0 and s.all_decisions = ${decisions}
			and ${messages} = (select sum(taken) from seen where taken > 0)
		returning w.campaign_id as "campaignId", s.taken::int as messages, s.decisions
	`
}

/** Returns accounts with waiting refunds of which the admins have not been notified. */
export async function listUnannouncedAllAccounts(
	sql: Sql,
	only: AccountId | null,
): Promise<{ accountId: AccountId; name: string }[]> {
	return sql<{ accountId: AccountId; name: string }[]>`
		select distinct w.account_id as "accountId", u.name
		from waiting_refunds w
		join users u on u.account_id = w.account_id
		where w.waiting_count > 0 and w.admins_notified_at is null
			${only === null ? sql`` : sql`and w.account_id = ${only}`}
	`
}

export async function updateAnnounced(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		update waiting_refunds set admins_notified_at = now()
		where account_id = ${accountId} and waiting_count > 0 and admins_notified_at is null
	`
}

/** Returns the accounts of the active admins. */
export async function listAdminAccountsAllAccounts(sql: Sql): Promise<AccountId[]> {
	const rows = await sql<{ accountId: AccountId }[]>`
		select account_id as "accountId" from users where role = 'admin' and is_active and deleted_at is null
	`
	return rows.map(({ accountId }) => accountId)
}
