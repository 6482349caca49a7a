import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { StatementKind } from '../contract.ts'

/** Which lines of a statement; days are Indian ones, both included. */
export interface StatementFilter {
	kind?: StatementKind | undefined
	from?: string | undefined
	to?: string | undefined
}

export interface Line {
	id: number
	at: Date
	kind: StatementKind
	/** 0 for a recharge, and for templates sent from chats. */
	campaignId: number
	campaignName: string | null
	messageCount: number | null
	availableChangePaise: number
	heldChangePaise: number
	availablePaise: number
	heldPaise: number
	notes: string | null
	adminName: string | null
}

const wanted = (sql: Sql, owner: OwnerId, { kind, from, to }: StatementFilter) => sql`
	account_id = ${owner} ${kind ? sql`and kind = ${kind}` : sql``}
	${from ? sql`and day >= ${from}::date` : sql``} ${to ? sql`and day <= ${to}::date` : sql``}
`

export interface LineQuery {
	filter: StatementFilter
	limit: number
	offset?: number
	/** Only lines older than this one. */
	before?: number | null
}

/**
 * The lines wanted, newest first, each with the balances after it: what stood there when its part began and what the
 * part's lines up to this one changed. So only the parts that the page touches are read, not the years before.
 */
export async function listLines(sql: Sql, owner: OwnerId, query: LineQuery): Promise<Line[]> {
	const { filter, limit, offset = 0, before = null } = query
	return sql<Line[]>`
		with chosen as (
			select id, part from statement_lines
			where ${wanted(sql, owner, filter)} ${before === null ? sql`` : sql`and id < ${before}`}
			order by id desc limit ${limit} offset ${offset}
		), summed as (
			select l.*,
				first_value(l.available_after_paise - l.available_change_paise) over parts
					+ sum(l.available_change_paise) over parts as available_paise,
				first_value(l.held_after_paise - l.held_change_paise) over parts
					+ sum(l.held_change_paise) over parts as held_paise
			from statement_lines l
			where l.account_id = ${owner} and l.part in (select part from chosen)
			window parts as (partition by l.part order by l.id)
		)
		select s.id, s.last_at as at, s.kind, coalesce(c.id, 0) as "campaignId", c.name as "campaignName",
			s.message_count as "messageCount", s.available_change_paise as "availableChangePaise",
			s.held_change_paise as "heldChangePaise", s.available_paise::bigint as "availablePaise",
			s.held_paise::bigint as "heldPaise", e.notes, a.name as "adminName"
		from summed s
		left join campaigns c on c.account_id = ${owner} and c.id = s.campaign_id and c.kind <> 'chat'
		left join ledger_entries e on e.account_id = ${owner} and e.id = s.id and s.kind = 'recharge'
		left join users a on a.id = e.admin_id
		where s.id in (select id from chosen)
		order by s.id desc
	`
}

export interface StatementTotals {
	lines: number
	rechargedPaise: number
	spentPaise: number
}

export async function totalLines(sql: Sql, owner: OwnerId, filter: StatementFilter): Promise<StatementTotals> {
	const [row] = await sql<StatementTotals[]>`
		select count(*) as lines,
			coalesce(sum(available_change_paise) filter (where kind = 'recharge'), 0)::bigint as "rechargedPaise",
			coalesce(-sum(available_change_paise + held_change_paise) filter (where kind in ('capture', 'refund')), 0)::bigint
				as "spentPaise"
		from statement_lines
		where ${wanted(sql, owner, filter)}
	`
	return row ?? { lines: 0, rechargedPaise: 0, spentPaise: 0 }
}

export interface DaySpending {
	day: string
	category: string
	paise: number
}

/** What was charged less what was refunded on each day of the month, by the category of the template. */
export async function listSpending(sql: Sql, owner: OwnerId, month: string): Promise<DaySpending[]> {
	const first = `${month}-01`
	return sql<DaySpending[]>`
		select to_char(l.day, 'YYYY-MM-DD') as day, c.template->>'category' as category,
			-sum(l.available_change_paise + l.held_change_paise)::bigint as paise
		from statement_lines l
		join campaigns c on c.account_id = ${owner} and c.id = l.campaign_id
		where l.account_id = ${owner} and l.kind in ('capture', 'refund')
			and l.day >= ${first}::date and l.day < ${first}::date + interval '1 month'
		group by l.day, category
		order by l.day, category
	`
}

/** The name of an account's person, also of a deleted one, and since when it is there. */
export async function getAccountStart(sql: Sql, owner: OwnerId): Promise<{ name: string; createdAt: Date }> {
	const [row] = await sql<{ name: string; createdAt: Date }[]>`
		select name, created_at as "createdAt" from users where account_id = ${owner}
	`
	if (!row) throw new Error(`account ${owner} has no person`)
	return row
}
