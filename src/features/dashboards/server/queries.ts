import { ARRIVING, IS_SHOWN } from '#features/delivery/server/conditions.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

export interface DayStats {
	day: string
	/** Accepted messages less those that failed after they were accepted; below 0 if the latter were accepted on days before. */
	sent: number
	delivered: number
	read: number
	failed: number
	spentPaise: number
}

const MONTH_DAYS = 30

/**
 * Returns a row for each of the last 30 Indian days, oldest first, from the daily counters; zeros for days without
 * messages.
 */
export async function listDays(sql: Sql, accountId: AccountId): Promise<DayStats[]> {
	return listTotals(sql, sql`and account_id = ${accountId}`)
}

/** Returns the rows of `listDays`, summed over all accounts. */
export async function listDaysAllAccounts(sql: Sql): Promise<DayStats[]> {
	return listTotals(sql, sql``)
}

async function listTotals(sql: Sql, ofAccount: Statement): Promise<DayStats[]> {
	return sql<DayStats[]>`
		select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(t.sent, 0) as sent, coalesce(t.delivered, 0) as delivered,
			coalesce(t.read, 0) as read, coalesce(t.failed, 0) as failed, coalesce(t.spent_paise, 0) as "spentPaise"
		from generate_series(
			${INDIAN_TODAY} - ${MONTH_DAYS - 1}::int, ${INDIAN_TODAY}, interval '1 day'
		) as d (day)
		left join (
			select day, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed,
				sum(spent_paise)::bigint as spent_paise
			from daily_totals
			where day >= ${INDIAN_TODAY} - ${MONTH_DAYS - 1}::int ${ofAccount}
			group by day
		) t on t.day = d.day::date
		order by d.day
	`
}

/** Totals of the campaigns that started in the last 30 Indian days, without tests and chat templates. */
export interface Outcomes {
	recipients: number
	delivered: number
	read: number
	/** Messages without a delivery status, of campaigns of the last 24 hours. */
	arriving: number
}

/** Sums the same counters that the campaign reports show. */
export async function sumOutcomes(sql: Sql, accountId: AccountId): Promise<Outcomes> {
	const [row] = await sql<Outcomes[]>`
		select coalesce(sum(total_count), 0)::bigint as recipients,
			coalesce(sum(delivered_count + read_count), 0)::bigint as delivered, coalesce(sum(read_count), 0)::bigint as read,
			coalesce(sum(${ARRIVING}), 0)::bigint as arriving
		from campaigns
		where account_id = ${accountId} and ${IS_SHOWN} and kind <> 'test'
			and (started_at at time zone ${verbatim(`'${INDIAN_TIME_ZONE}'`)})::date > ${INDIAN_TODAY} - ${MONTH_DAYS}::int
	`
	return row ?? { recipients: 0, delivered: 0, read: 0, arriving: 0 }
}

/** The facts of an account beside its campaigns, and the setup steps that it has completed. */
export interface AccountFacts {
	availablePaise: number
	/** Number of marketing messages for the available money; null if these cost nothing. */
	marketingMessages: number | null
	steps: { credentials: boolean; template: boolean; contacts: boolean; recharge: boolean; campaign: boolean }
}

/** Returns the facts by indexes only: the first row of each kind. */
export async function getAccountFacts(sql: Sql, accountId: AccountId): Promise<AccountFacts> {
	const [row] = await sql<(Omit<AccountFacts, 'steps'> & AccountFacts['steps'])[]>`
		select w.available_paise as "availablePaise", div(w.available_paise, nullif(p.marketing_paise, 0))::bigint as "marketingMessages",
			exists (select 1 from senders where account_id = ${accountId}) as credentials,
			exists (
				select 1 from templates where account_id = ${accountId} and status = 'APPROVED' and gone_at is null
			) as template,
			exists (select 1 from contacts where account_id = ${accountId}) as contacts,
			exists (select 1 from ledger_entries where account_id = ${accountId} and kind = 'recharge') as recharge,
			exists (
				select 1 from campaigns where account_id = ${accountId} and ${IS_SHOWN} and kind <> 'test' and started_at is not null
			) as campaign
		from wallets w
		join prices p on p.account_id = w.account_id
		where w.account_id = ${accountId}
	`
	if (!row) throw new Error(`account ${accountId} has no wallet`)
	const { availablePaise, marketingMessages, ...steps } = row
	return { availablePaise, marketingMessages, steps }
}
