import type { StatementKind } from '#features/statements/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { isNewer, OLDEST_FIRST } from '../line-order-queries.ts'
import type { Line } from '../queries.ts'

export type Balance = Pick<Line, 'availablePaise' | 'heldPaise'>

/** Returns the wallet's balance at the start of the month, in Indian time. */
export async function getOpening(sql: Sql, accountId: AccountId, month: string): Promise<Balance> {
	const [row] = await sql<Balance[]>`
		select coalesce(sum(available_change_paise), 0)::bigint as "availablePaise",
			coalesce(sum(held_change_paise), 0)::bigint as "heldPaise"
		from statement_lines
		where account_id = ${accountId} and day < ${firstOf(month)}::date
	`
	return row ?? { availablePaise: 0, heldPaise: 0 }
}

const firstOf = (month: string) => `${month}-01`

const within = (sql: Sql, month: string) => sql`
	l.day >= ${firstOf(month)}::date and l.day < ${firstOf(month)}::date + interval '1 month'
`

export interface KindTotal extends Balance {
	kind: StatementKind
	lines: number
	messages: number
}

/** Sums the changes of a month's lines by kind. Kinds without lines are absent. */
export async function totalKinds(sql: Sql, accountId: AccountId, month: string): Promise<KindTotal[]> {
	return sql<KindTotal[]>`
		select l.kind, count(*) as lines, coalesce(sum(l.message_count), 0)::bigint as messages,
			sum(l.available_change_paise)::bigint as "availablePaise", sum(l.held_change_paise)::bigint as "heldPaise"
		from statement_lines l
		where l.account_id = ${accountId} and ${within(sql, month)}
		group by l.kind
	`
}

export interface CategoryTotal {
	/** Null for refunds of several chat templates that an admin approved in one decision. */
	category: string | null
	chargedMessages: number
	chargedPaise: number
	refundedMessages: number
	refundedPaise: number
}

/** Sums a month's charges and refunds by template category, SERVICE for replies. */
export async function totalCategories(sql: Sql, accountId: AccountId, month: string): Promise<CategoryTotal[]> {
	return sql<CategoryTotal[]>`
		with spent as (
			select case when l.campaign_id < 0 then 'SERVICE' else c.template->>'category' end as category, l.kind, l.message_count,
				abs(l.available_change_paise + l.held_change_paise) as paise
			from statement_lines l
			left join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id
			where l.account_id = ${accountId} and l.kind in ('capture', 'refund') and ${within(sql, month)}
		)
		select category,
			coalesce(sum(message_count) filter (where kind = 'capture'), 0)::bigint as "chargedMessages",
			coalesce(sum(paise) filter (where kind = 'capture'), 0)::bigint as "chargedPaise",
			coalesce(sum(message_count) filter (where kind = 'refund'), 0)::bigint as "refundedMessages",
			coalesce(sum(paise) filter (where kind = 'refund'), 0)::bigint as "refundedPaise"
		from spent
		group by category
		order by category nulls last
	`
}

export type MonthLine = Omit<Line, 'campaignId' | 'availablePaise' | 'heldPaise'>

/** Returns the lines of a month, oldest first; `after` is the id of the last line of the batch before, or null. */
export async function listMonthLines(
	sql: Sql,
	accountId: AccountId,
	{ month, after, limit }: { month: string; after: number | null; limit: number },
): Promise<MonthLine[]> {
	return sql<MonthLine[]>`
		select l.id, l.last_at as at, l.kind, c.name as "campaignName", l.campaign_id < 0 as "isReply", l.message_count as "messageCount",
			l.available_change_paise as "availableChangePaise", l.held_change_paise as "heldChangePaise",
			e.notes, a.name as "adminName"
		from statement_lines l
		left join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id and c.kind <> 'chat'
		left join ledger_entries e on e.account_id = ${accountId} and e.id = l.id and l.kind in ('recharge', 'reversal')
		left join users a on a.id = e.admin_id
		where l.account_id = ${accountId} and ${within(sql, month)}
			${after === null ? sql`` : sql`and ${isNewer(sql, accountId, after)}`}
		order by ${OLDEST_FIRST}
		limit ${limit}
	`
}

export interface AccountName {
	userId: number
	name: string
	email: string
	businessName: string
	businessAddress: string
	gstin: string
}

/**
 * Returns the account's name and business details, also for a deleted account; business details are empty when not
 * given.
 */
export async function getAccountName(sql: Sql, accountId: AccountId): Promise<AccountName> {
	const [row] = await sql<AccountName[]>`
		select id as "userId", name, email, coalesce(business_name, '') as "businessName",
			coalesce(business_address, '') as "businessAddress", coalesce(gstin, '') as gstin
		from users where account_id = ${accountId}
	`
	if (!row) throw new Error(`account ${accountId} has no person`)
	return row
}
