import type { AccountId, Sql } from '#lib/server/db.ts'
import type { StatementKind } from '../contract.ts'
import { isOlder, NEWEST_FIRST, OLDEST_FIRST } from './line-order-queries.ts'

/** Conditions for statement lines. Days are Indian days, both included. */
export interface StatementFilter {
	kind?: StatementKind | undefined
	from?: string | undefined
	to?: string | undefined
	campaign?: string | undefined
}

export interface Change {
	id: number
	at: Date
	kind: StatementKind
	/** 0 for recharges, chat templates and replies. */
	campaignId: number
	/** True for replies, whose lines have the day as their campaign: -20261126. */
	isReply: boolean
	campaignName: string | null
	messageCount: number | null
	availableChangePaise: number
	heldChangePaise: number
	notes: string | null
	adminName: string | null
}

export interface Line extends Change {
	availablePaise: number
	heldPaise: number
}

const wanted = (sql: Sql, accountId: AccountId, { kind, from, to, campaign }: StatementFilter) => sql`
	account_id = ${accountId} ${kind ? sql`and kind = ${kind}` : sql``} ${campaign ? sql`and campaign_id = ${campaign}` : sql``}
	${from ? sql`and day >= ${from}::date` : sql``} ${to ? sql`and day <= ${to}::date` : sql``}
`

/** Returns SQL joins that add to each line `l` its campaign `c`, and to a recharge its entry `e` and the admin `a`. */
const whatFor = (sql: Sql, accountId: AccountId) => sql`
	left join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id and c.kind <> 'chat'
	left join ledger_entries e on e.account_id = ${accountId} and e.id = l.id and l.kind in ('recharge', 'reversal')
	left join users a on a.id = e.admin_id
`

export interface LineQuery {
	filter: StatementFilter
	limit: number
	offset?: number
	/** Id of a line; only older lines are returned. Null for all lines. */
	before?: number | null
	/**
	 * Extends the result beyond `limit` to the end of its statement part. The current part may change between two batches,
	 * and balances of whole parts still lead from one batch to the next.
	 */
	isByParts?: boolean
}

/**
 * Returns lines, newest first, each with the balances after it: the ledger's balances before its part plus the changes
 * of the part's lines up to it. Reads only the parts that the page touches.
 */
export async function listLines(sql: Sql, accountId: AccountId, query: LineQuery): Promise<Line[]> {
	const { filter, limit, offset = 0, before = null, isByParts = false } = query
	const isWanted = sql`
		${wanted(sql, accountId, filter)}
		${before === null ? sql`` : sql`and ${isOlder(sql, accountId, before)}`}
	`
	return sql<Line[]>`
		with page as (
			select id, part from statement_lines l
			where ${isWanted}
			order by ${NEWEST_FIRST} limit ${limit} offset ${offset}
		), chosen as (
			select id, part from ${isByParts ? sql`statement_lines l where ${isWanted} and part in (select part from page)` : sql`page`}
		), summed as (
			select l.*, min(l.id) over (partition by l.part) as first_id,
				sum(l.available_change_paise) over parts as available_moved, sum(l.held_change_paise) over parts as held_moved
			from statement_lines l
			where l.account_id = ${accountId} and l.part in (select part from chosen)
			window parts as (partition by l.part order by ${OLDEST_FIRST})
		)
		select l.id, l.last_at as at, l.kind, coalesce(c.id, 0) as "campaignId", l.campaign_id < 0 as "isReply",
			c.name as "campaignName", l.message_count as "messageCount", l.available_change_paise as "availableChangePaise",
			l.held_change_paise as "heldChangePaise",
			(f.available_after_paise - f.available_change_paise + l.available_moved)::bigint as "availablePaise",
			(f.held_after_paise - f.held_change_paise + l.held_moved)::bigint as "heldPaise", e.notes, a.name as "adminName"
		from summed l
		join ledger_entries f on f.account_id = ${accountId} and f.id = l.first_id
		${whatFor(sql, accountId)}
		where l.id in (select id from chosen)
		order by ${NEWEST_FIRST}
	`
}

/**
 * Returns SQL for the first line of each campaign and of each day's replies that matches the filter, and for all other lines,
 * newest first.
 */
const firstLines = (sql: Sql, accountId: AccountId, filter: StatementFilter) => sql`
	select id, kind, campaign_id, last_at from statement_lines l
	where ${wanted(sql, accountId, filter)} and (campaign_id = 0 or not exists (
		select from statement_lines
		where ${wanted(sql, accountId, filter)} and campaign_id = l.campaign_id and id < l.id
	))
	order by day desc, id desc
`

export interface LineGroup extends Change {
	/** The campaign or the day's replies whose lines are summed; 0 for a line of neither. */
	linesOf: number
}

/**
 * Returns the matching lines with the lines of each campaign and of each day's replies summed into one, ordered by their first
 * lines, newest first.
 */
export async function listGroups(
	sql: Sql,
	accountId: AccountId,
	{ filter, limit, offset }: { filter: StatementFilter; limit: number; offset: number },
): Promise<LineGroup[]> {
	// Charges minus refunds without a filter; the plain sum of messages with a filter by kind.
	const messages = filter.kind
		? sql`sum(message_count)`
		: sql`sum(case kind when 'capture' then message_count when 'refund' then -message_count else 0 end)`
	return sql<LineGroup[]>`
		with l as (${firstLines(sql, accountId, filter)} limit ${limit} offset ${offset})
		select l.id, l.last_at as at, l.kind, l.campaign_id as "linesOf", coalesce(c.id, 0) as "campaignId",
			l.campaign_id < 0 as "isReply", c.name as "campaignName", sums.messages as "messageCount", sums.available::bigint as "availableChangePaise",
			sums.held::bigint as "heldChangePaise", e.notes, a.name as "adminName"
		from l
		cross join lateral (
			select sum(available_change_paise) as available, sum(held_change_paise) as held,
				(case when l.campaign_id <> 0 then ${messages} else sum(message_count) end)::int as messages
			from statement_lines
			where ${wanted(sql, accountId, filter)} and campaign_id = l.campaign_id
				and id >= l.id and (l.campaign_id <> 0 or id <= l.id)
		) sums
		${whatFor(sql, accountId)}
		order by l.id desc
	`
}

/** Counts the groups that match the filter, up to `limit`. */
export async function countGroups(
	sql: Sql,
	accountId: AccountId,
	{ filter, limit }: { filter: StatementFilter; limit: number },
): Promise<number> {
	const [row] = await sql<{ groups: number }[]>`
		select count(*) as groups from (${firstLines(sql, accountId, filter)} limit ${limit}) counted
	`
	return row?.groups ?? 0
}

export interface StatementTotals {
	lines: number
	/** Recharges less the reversals. */
	rechargedPaise: number
	spentPaise: number
}

export async function totalLines(sql: Sql, accountId: AccountId, filter: StatementFilter): Promise<StatementTotals> {
	const [row] = await sql<StatementTotals[]>`
		select count(*) as lines,
			coalesce(sum(available_change_paise) filter (where kind in ('recharge', 'reversal')), 0)::bigint as "rechargedPaise",
			coalesce(-sum(available_change_paise + held_change_paise) filter (where kind in ('capture', 'refund')), 0)::bigint
				as "spentPaise"
		from statement_lines
		where ${wanted(sql, accountId, filter)}
	`
	return row ?? { lines: 0, rechargedPaise: 0, spentPaise: 0 }
}

export interface DaySpending {
	day: string
	category: string
	paise: number
}

/**
 * Returns each day's charges minus refunds in a month, by template category, SERVICE for replies. Days without either are left
 * out.
 */
export async function listSpending(sql: Sql, accountId: AccountId, month: string): Promise<DaySpending[]> {
	const first = `${month}-01`
	return sql<DaySpending[]>`
		select to_char(l.day, 'YYYY-MM-DD') as day, 
			case when l.campaign_id < 0 then 'SERVICE' else c.template->>'category' end as category,
			-sum(l.available_change_paise + l.held_change_paise)::bigint as paise
		from statement_lines l
		left join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id
		where l.account_id = ${accountId} and l.kind in ('capture', 'refund') and (c.id is not null or l.campaign_id < 0)
			and l.day >= ${first}::date and l.day < ${first}::date + interval '1 month'
		group by l.day, category
		order by l.day, category
	`
}

/** Returns the account's user name, also of a deleted user, and the account's creation time. */
export async function getAccountStart(sql: Sql, accountId: AccountId): Promise<{ name: string; createdAt: Date }> {
	const [row] = await sql<{ name: string; createdAt: Date }[]>`
		select name, created_at as "createdAt" from users where account_id = ${accountId}
	`
	if (!row) throw new Error(`account ${accountId} has no person`)
	return row
}
