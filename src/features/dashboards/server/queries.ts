import { ARRIVING } from '#features/delivery/server/conditions.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

export interface DayStats {
	day: string
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
		where account_id = ${accountId} and kind in ('campaign', 'api')
			and (started_at at time zone ${verbatim(`'${INDIAN_TIME_ZONE}'`)})::date > ${INDIAN_TODAY} - ${MONTH_DAYS}::int
	`
	return row ?? { recipients: 0, delivered: 0, read: 0, arriving: 0 }
}

/** The setup steps that an account has completed. */
export interface Steps {
	credentials: boolean
	template: boolean
	contacts: boolean
	recharge: boolean
}

export async function getSteps(sql: Sql, accountId: AccountId): Promise<Steps> {
	const [row] = await sql<Steps[]>`
		select exists (select 1 from senders where account_id = ${accountId}) as credentials,
			exists (
				select 1 from templates where account_id = ${accountId} and status = 'APPROVED' and gone_at is null
			) as template,
			exists (select 1 from contacts where account_id = ${accountId}) as contacts,
			exists (select 1 from ledger_entries where account_id = ${accountId} and kind = 'recharge') as recharge
	`
	return row ?? { credentials: false, template: false, contacts: false, recharge: false }
}
