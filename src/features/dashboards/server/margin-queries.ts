import { cardsInEffectAllAccounts } from '#features/pricing/server/queries.ts'
import type { UsageOfDay } from '#features/whatsapp/rules.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

/** Days from `first` to before `end`, such as 2026-11-01. */
export interface Days {
	first: string
	end: string
}

/** Messages of an account in a month with one market, category and type. */
export interface UsageRow {
	accountId: AccountId
	market: string
	category: string
	type: string
	isEstimate: boolean
	messages: number
	/** Number of messages with a known rate. `micros` is their cost in millionths of a rupee if WhatsApp charges them. */
	rated: number
	micros: number
}

/** The rate's category for `usage_days u`: WhatsApp charges lite and group messages as the category they belong to. */
const RATE_CATEGORY = verbatim(
	`case u.category when 'marketing_lite' then 'marketing' when 'group_marketing' then 'marketing'
		when 'group_utility' then 'utility' when 'group_service' then 'service' else u.category end`,
)

/** Returns the usage of all accounts with the rates valid on each day. */
export async function listUsageAllAccounts(sql: Sql, days: Days): Promise<UsageRow[]> {
	return listUsage(sql, days, sql``)
}

export async function listUsageOf(sql: Sql, accountId: AccountId, days: Days): Promise<UsageRow[]> {
	return listUsage(sql, days, sql`and u.account_id = ${accountId}`)
}

async function listUsage(sql: Sql, { first, end }: Days, ofAccount: Statement): Promise<UsageRow[]> {
	return sql<UsageRow[]>`
		select u.account_id as "accountId", u.market, u.category, u.type, u.is_estimate as "isEstimate",
			sum(u.messages)::bigint as messages,
			coalesce(sum(u.messages) filter (where r.rate_micros is not null), 0)::bigint as rated,
			coalesce(sum(u.messages * r.rate_micros), 0)::bigint as micros
		from usage_days u
		left join (
			select c.valid_from, c.valid_until, m.market, m.category, m.rate_micros
			from ${cardsInEffectAllAccounts(sql, 'INR')} c
			join meta_rates m on m.card_id = c.id
		) r on r.market = u.market and r.category = ${RATE_CATEGORY} and u.day >= r.valid_from and u.day < r.valid_until
		where u.day >= ${first}::date and u.day < ${end}::date ${ofAccount}
		group by u.account_id, u.market, u.category, u.type, u.is_estimate
		having sum(u.messages) <> 0
	`
}

/** Returns each account's charges less its refunds; omits accounts without either. */
export async function listRevenueAllAccounts(
	sql: Sql,
	{ first, end }: Days,
): Promise<{ accountId: AccountId; paise: number }[]> {
	return sql<{ accountId: AccountId; paise: number }[]>`
		select account_id as "accountId", sum(spent_paise)::bigint as paise
		from daily_totals where day >= ${first}::date and day < ${end}::date
		group by account_id having sum(spent_paise) <> 0
	`
}

/** Returns an account's revenue by the category of its messages; replies count as service. */
export async function listRevenueByCategory(
	sql: Sql,
	accountId: AccountId,
	{ first, end }: Days,
): Promise<{ category: string; paise: number }[]> {
	return sql<{ category: string; paise: number }[]>`
		select coalesce(lower(c.template ->> 'category'), 'service') as category,
			-sum(e.available_change_paise + e.held_change_paise)::bigint as paise
		from ledger_entries e
		left join campaigns c on c.account_id = e.account_id and c.id = e.campaign_id
		where e.account_id = ${accountId} and e.kind in ('capture', 'refund')
			and e.created_at >= ${first}::timestamp at time zone ${INDIAN_TIME_ZONE}
			and e.created_at < ${end}::timestamp at time zone ${INDIAN_TIME_ZONE}
		group by 1
	`
}

export interface Payer {
	id: number
	accountId: AccountId
	name: string
	email: string
}

export async function findPayerAllAccounts(sql: Sql, userId: string): Promise<Payer | undefined> {
	const [row] = await sql<Payer[]>`
		select id, account_id as "accountId", name, email from users where role = 'user' and id = ${userId}
	`
	return row
}

/** Returns the users of accounts, deleted ones included: their revenue and cost remain. */
export async function listPayersAllAccounts(sql: Sql): Promise<Payer[]> {
	return sql<Payer[]>`
		select id, account_id as "accountId", name, email from users where role = 'user' order by id
	`
}

export interface StoredCheck {
	checkedAt: Date
	isReadable: boolean
	days: UsageOfDay[]
}

/** Returns the last reading of WhatsApp's own counts of an account; undefined before the first. */
export async function findCheck(sql: Sql, accountId: AccountId): Promise<StoredCheck | undefined> {
	const [row] = await sql<StoredCheck[]>`
		select checked_at as "checkedAt", is_readable as "isReadable", days
		from usage_checks where account_id = ${accountId}
	`
	return row
}

/** Returns an account's counts by day, category and type of charge. */
export async function listDays(sql: Sql, accountId: AccountId, { first, end }: Days): Promise<UsageOfDay[]> {
	return sql<UsageOfDay[]>`
		select to_char(day, 'YYYY-MM-DD') as day, category, type, sum(messages)::bigint as messages
		from usage_days
		where account_id = ${accountId} and day >= ${first}::date and day < ${end}::date
		group by day, category, type having sum(messages) <> 0
	`
}

/** Days of usage that count for the order of markets. */
const RECENT_DAYS = 90

/** Returns the markets of the messages of the last `RECENT_DAYS` days, the one with the most messages first. */
export async function listUsedMarketsAllAccounts(sql: Sql): Promise<string[]> {
	const rows = await sql<{ market: string }[]>`
		select market from usage_days
		where day > (now() at time zone ${INDIAN_TIME_ZONE})::date - ${RECENT_DAYS}::integer
		group by market having sum(messages) > 0
		order by sum(messages) desc, market
	`
	return rows.map(({ market }) => market)
}
