import type { StatusCounts, StepCounts } from '#features/delivery/rules.ts'
import { FLOOR_DAYS, USUAL_DAYS, WINDOW_DAYS } from '#features/wallet/rules.ts'
import type { RefundHistory } from '#features/wallet/server/refund-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import type { Statement } from '#lib/server/statement.ts'
import { lowestId } from '../months/month.ts'
import type { UsageChange } from './usage.ts'

export interface FailureChange {
	campaignId: number
	errorCode: number
	error: string
	count: number
}

/** Adds a count, which may be negative, to the failures of each reason. Each reason occurs once in `changes`. */
export async function countFailures(sql: Sql, accountId: AccountId, changes: readonly FailureChange[]): Promise<void> {
	await sql`
		insert into campaign_failures as f (account_id, campaign_id, error_code, error, message_count)
		select c.account_id, n.*
		from unnest(
			${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.errorCode)}::integer[],
			${changes.map((c) => c.error)}::text[], ${changes.map((c) => c.count)}::integer[]
		) as n (campaign_id, error_code, error, message_count)
		join campaigns c on c.account_id = ${accountId} and c.id = n.campaign_id
		on conflict (account_id, campaign_id, error_code) do update
		set message_count = f.message_count + excluded.message_count,
			error = case when excluded.message_count > 0 then excluded.error else f.error end
	`
}

export interface DayChange extends StepCounts {
	spentPaise: number
	/** Messages refunded because of a status update, or for lack of one, without an admin's decision. */
	refundedCount?: number
	refundedPaise?: number
}

/** Change of the number of messages in each status, for one block (a range of a campaign's messages, in `campaign_blocks`). */
export interface BlockChange extends StatusCounts {
	campaignId: number
	block: number
}

/** Messages of a campaign that passed each step in one minute. */
export interface MinuteChange extends StepCounts {
	campaignId: number
	minute: Date
}

interface TotalsChange {
	blocks: readonly BlockChange[]
	minutes: readonly MinuteChange[]
	day: DayChange
	/** Ordered by key. */
	usage: readonly UsageChange[]
}

/**
 * Adds to the counts of blocks, of minutes, of the account's day (Indian time) and of usage. One statement suffices unless
 * the change is the first of its minute or of the day. Call it with the campaigns locked.
 */
export async function addToTotals(sql: Sql, accountId: AccountId, change: TotalsChange): Promise<void> {
	if (await addToRows(sql, accountId, change)) return
	await insertRows(sql, accountId, change)
	if (!(await addToRows(sql, accountId, change))) throw new Error('The totals of today have no row')
}

/** Adds changes to the counts of usage. `usage` is ordered by key. */
export async function addUsage(sql: Sql, accountId: AccountId, usage: readonly UsageChange[]): Promise<void> {
	const day = { sent: 0, delivered: 0, read: 0, failed: 0, spentPaise: 0 }
	await addToTotals(sql, accountId, { blocks: [], minutes: [], day, usage })
}

/** Adds to the existing rows and returns true; changes nothing and returns false if a row is missing. */
async function addToRows(
	sql: Sql,
	accountId: AccountId,
	{ blocks, minutes, day, usage }: TotalsChange,
): Promise<boolean> {
	const from = lowestId([...minutes, ...blocks])
	const { count } = await sql`
		with minutes as (
			select * from unnest(
				${minutes.map((c) => c.campaignId)}::bigint[], ${minutes.map((c) => c.minute.toISOString())}::timestamptz[],
				${minutes.map((c) => c.sent)}::integer[], ${minutes.map((c) => c.delivered)}::integer[],
				${minutes.map((c) => c.read)}::integer[], ${minutes.map((c) => c.failed)}::integer[]
			) as n (campaign_id, minute, sent, delivered, read, failed)
		), used as materialized (
			select u.account_id, u.day, u.market, u.category, u.type, u.is_estimate, n.messages
			from ${usageRows(sql, usage)}
			join usage_days u on u.account_id = ${accountId} and u.day = n.day and u.market = n.market
				and u.category = n.category and u.type = n.type and u.is_estimate = n.is_estimate
			order by u.day, u.market, u.category, u.type, u.is_estimate
			for update of u
		), complete as (
			select 1 from daily_totals
			where account_id = ${accountId} and day = ${INDIAN_TODAY} and (
				select count(*) from minutes n
				join campaign_minutes m on m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.minute = n.minute
				where m.campaign_id >= ${from}::bigint
			) = ${minutes.length}::int and (select count(*) from used) = ${usage.length}::int
		), counted as (
			update usage_days u set messages = u.messages + n.messages
			from used n
			where u.account_id = ${accountId} and u.day = n.day and u.market = n.market and u.category = n.category
				and u.type = n.type and u.is_estimate = n.is_estimate and exists (select from complete)
		), moved as (
			update campaign_blocks b
			set pending = b.pending + n.pending, sent = b.sent + n.sent, delivered = b.delivered + n.delivered,
				read = b.read + n.read, failed = b.failed + n.failed
			from unnest(
				${blocks.map((c) => c.campaignId)}::bigint[], ${blocks.map((c) => c.block)}::integer[],
				${blocks.map((c) => c.pending)}::integer[], ${blocks.map((c) => c.sent)}::integer[],
				${blocks.map((c) => c.delivered)}::integer[], ${blocks.map((c) => c.read)}::integer[],
				${blocks.map((c) => c.failed)}::integer[]
			) as n (campaign_id, block, pending, sent, delivered, read, failed)
			where b.account_id = ${accountId} and b.campaign_id = n.campaign_id and b.block = n.block
				and b.campaign_id >= ${from}::bigint and exists (select from complete)
		), timed as (
			update campaign_minutes m
			set sent = m.sent + n.sent, delivered = m.delivered + n.delivered, read = m.read + n.read,
				failed = m.failed + n.failed
			from minutes n
			where m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.minute = n.minute
				and m.campaign_id >= ${from}::bigint and exists (select from complete)
		)
		update daily_totals d
		set sent = d.sent + ${day.sent}::int, delivered = d.delivered + ${day.delivered}::int, read = d.read + ${day.read}::int,
			failed = d.failed + ${day.failed}::int, spent_paise = d.spent_paise + ${day.spentPaise}::bigint,
			refunded_count = d.refunded_count + ${day.refundedCount ?? 0}::int,
			refunded_paise = d.refunded_paise + ${day.refundedPaise ?? 0}::bigint
		where d.account_id = ${accountId} and d.day = ${INDIAN_TODAY} and exists (select from complete)
	`
	return count > 0
}

/**
 * Inserts the missing rows. Runs separately from `addToRows`, because Citus sends the rows of a statement that updates and
 * inserts through every machine.
 */
async function insertRows(sql: Sql, accountId: AccountId, { minutes, usage }: TotalsChange): Promise<void> {
	await sql`
		insert into campaign_minutes (account_id, campaign_id, minute)
		select c.account_id, c.id, n.minute
		from unnest(
			${minutes.map((c) => c.campaignId)}::bigint[], ${minutes.map((c) => c.minute.toISOString())}::timestamptz[]
		) as n (campaign_id, minute)
		join campaigns c on c.account_id = ${accountId} and c.id = n.campaign_id
		on conflict do nothing
	`
	await sql`insert into daily_totals (account_id, day) values (${accountId}, ${INDIAN_TODAY}) on conflict do nothing`
	if (usage.length === 0) return
	await sql`
		insert into usage_days (account_id, day, market, category, type, is_estimate)
		select ${accountId}::bigint, n.day, n.market, n.category, n.type, n.is_estimate
		from ${usageRows(sql, usage)}
		order by n.day, n.market, n.category, n.type, n.is_estimate
		on conflict do nothing
	`
}

function usageRows(sql: Sql, usage: readonly UsageChange[]): Statement {
	return sql`unnest(
		${usage.map((u) => u.day)}::date[], ${usage.map((u) => u.market)}::text[], ${usage.map((u) => u.category)}::text[],
		${usage.map((u) => u.type)}::text[], ${usage.map((u) => String(u.isEstimate))}::text[]::boolean[],
		${usage.map((u) => u.messages)}::integer[]
	) as n (day, market, category, type, is_estimate, messages)`
}

/** Adds clicks to the minutes of campaigns' charts. Each minute of a campaign may occur once in `minutes`. */
export async function addMinutes(
	sql: Sql,
	accountId: AccountId,
	minutes: readonly { campaignId: number; minute: Date; clicks: number }[],
): Promise<void> {
	await sql`
		insert into campaign_minutes as m (account_id, campaign_id, minute, clicks)
		select ${accountId}::bigint, n.campaign_id, n.minute, n.clicks
		from unnest(
			${minutes.map((c) => c.campaignId)}::bigint[], ${minutes.map((c) => c.minute.toISOString())}::timestamptz[],
			${minutes.map((c) => c.clicks)}::integer[]
		) as n (campaign_id, minute, clicks)
		order by n.campaign_id, n.minute
		on conflict (account_id, campaign_id, minute) do update set clicks = m.clicks + excluded.clicks
	`
}

/** Adds new clickers and clicks to the counters of locked campaigns. */
export async function addClicks(
	sql: Sql,
	accountId: AccountId,
	changes: readonly { campaignId: number; clicked: number; clicks: number }[],
): Promise<void> {
	await sql`
		update campaigns c
		set clicked_count = c.clicked_count + n.clicked, click_count = c.click_count + n.clicks
		from unnest(
			${changes.map((c) => c.campaignId)}::bigint[], ${changes.map((c) => c.clicked)}::integer[],
			${changes.map((c) => c.clicks)}::integer[]
		) as n (campaign_id, clicked, clicks)
		where c.account_id = ${accountId} and c.id = n.campaign_id
	`
}

const sums = (sql: Sql) => sql`
	coalesce(sum(refunded_count) filter (where day > ${INDIAN_TODAY} - ${FLOOR_DAYS}::int), 0)::int as "recentCount",
	coalesce(sum(refunded_paise) filter (where day > ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint as "refundedPaise",
	coalesce(sum(spent_paise + refunded_paise) filter (where day > ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "chargedPaise",
	coalesce(sum(refunded_paise) filter (where day <= ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "usualRefundedPaise",
	coalesce(sum(spent_paise + refunded_paise) filter (where day <= ${INDIAN_TODAY} - ${WINDOW_DAYS}::int), 0)::bigint
		as "usualChargedPaise"
`

const isCounted = (sql: Sql) => sql`day > ${INDIAN_TODAY} - ${WINDOW_DAYS + USUAL_DAYS}::int`

/** Returns the account's charges and refunds of WINDOW_DAYS and of the USUAL_DAYS before. Call with the wallet locked. */
export async function getRefundHistory(sql: Sql, accountId: AccountId): Promise<RefundHistory> {
	const [row] = await sql<RefundHistory[]>`
		select ${sums(sql)} from daily_totals where account_id = ${accountId} and ${isCounted(sql)}
	`
	if (!row) throw new Error('a sum has one row')
	return row
}

/** Returns the histories of these accounts. An account without a counted day is missing. */
export async function listRefundHistoriesAllAccounts(
	sql: Sql,
	accountIds: readonly AccountId[],
): Promise<Map<AccountId, RefundHistory>> {
	const rows = await sql<(RefundHistory & { accountId: AccountId })[]>`
		select account_id as "accountId", ${sums(sql)} from daily_totals
		where account_id = any(${accountIds}::bigint[]) and ${isCounted(sql)}
		group by account_id
	`
	return new Map(rows.map(({ accountId, ...history }) => [accountId, history]))
}
