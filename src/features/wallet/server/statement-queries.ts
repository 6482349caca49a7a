import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
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
		select s.id, s.last_at as at, s.kind, s.campaign_id as "campaignId", c.name as "campaignName",
			s.message_count as "messageCount", s.available_change_paise as "availableChangePaise",
			s.held_change_paise as "heldChangePaise", s.available_paise::bigint as "availablePaise",
			s.held_paise::bigint as "heldPaise", e.notes, a.name as "adminName"
		from summed s
		left join campaigns c on c.account_id = ${owner} and c.id = s.campaign_id
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

/**
 * What was charged less what was refunded on each day of the month, by the category of the template: of campaigns by their
 * statement, of templates sent from chats by the messages, as several of them stand in one line.
 */
export async function listSpending(sql: Sql, owner: OwnerId, month: string): Promise<DaySpending[]> {
	const first = `${month}-01`
	return sql<DaySpending[]>`
		with spent as (
			select l.day, c.template->>'category' as category, -(l.available_change_paise + l.held_change_paise) as paise
			from statement_lines l
			join campaigns c on c.account_id = ${owner} and c.id = l.campaign_id
			where l.account_id = ${owner} and l.kind in ('capture', 'refund')
			union all
			select (m.sent_at at time zone ${INDIAN_TIME_ZONE})::date, m.body->>'category', m.price_paise
			from chat_messages m
			where m.account_id = ${owner} and m.price_paise > 0 and m.status in ('sent', 'delivered', 'read')
				and m.sent_at >= ${first}::timestamp at time zone ${INDIAN_TIME_ZONE}
				and m.sent_at < (${first}::timestamp + interval '1 month') at time zone ${INDIAN_TIME_ZONE}
		)
		select to_char(day, 'YYYY-MM-DD') as day, category, sum(paise)::bigint as paise
		from spent
		where day >= ${first}::date and day < ${first}::date + interval '1 month'
		group by spent.day, category
		order by spent.day, category
	`
}
