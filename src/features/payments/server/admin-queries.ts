import type { Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { separated } from '#lib/server/statement.ts'
import type { PaymentState } from '../contract.ts'
import { columnsAllAccounts, paymentsAllAccounts, type Payment } from './queries.ts'

/** Minutes after which an unpaid payment counts as open for long. */
const LONG_MINUTES = 60

export interface PaymentOfUser extends Payment {
	payerId: number
	payerName: string
	payerEmail: string
}

export interface PaymentFilter {
	/** Part of a name, an email, a reference or an id of the provider; empty for all payments. */
	search: string
	state?: PaymentState | undefined
}

const listed = (sql: Sql) => sql`
	select ${columnsAllAccounts(sql)}, u.id as "payerId", u.name as "payerName", u.email as "payerEmail"
	from ${paymentsAllAccounts(sql)}
	join users u on u.account_id = p.account_id
`

function matching(sql: Sql, { search, state }: PaymentFilter) {
	const ofState = state ? sql`p.state = ${state}` : sql`true`
	const ids = sql`concat_ws(' ', p.reference, p.provider_id, p.provider_payment_id)`
	const found = [sql`u.name`, sql`u.email`, ids].map((column) => containsFolded(sql, column, search))
	return search ? sql`${ofState} and (${separated(found, ' or ')})` : ofState
}

const isOpenForLong = (sql: Sql) =>
	sql`(p.state = 'created' and p.created_at < now() - make_interval(mins => ${LONG_MINUTES}))`

/** Returns payments of all accounts: those with a fault first, then those that are open for long, then the newest. */
export async function listAllAccounts(sql: Sql, wanted: PageQuery & PaymentFilter): Promise<PaymentOfUser[]> {
	return sql<PaymentOfUser[]>`
		${listed(sql)}
		where ${matching(sql, wanted)}
		order by p.fault is not null desc, ${isOpenForLong(sql)} desc, p.created_at desc, p.id desc, p.account_id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** Returns the payments that follow `last`, newest first; the newest without `last`. */
export async function listAfterAllAccounts(
	sql: Sql,
	{ last, limit, ...filter }: PaymentFilter & { last: PaymentOfUser | undefined; limit: number },
): Promise<PaymentOfUser[]> {
	const follows = last ? sql`(p.id, p.account_id) < (${last.id}, ${last.accountId})` : sql`true`
	return sql<PaymentOfUser[]>`
		${listed(sql)}
		where ${follows} and ${matching(sql, filter)}
		order by p.id desc, p.account_id desc
		limit ${limit}
	`
}

export async function countAllAccounts(sql: Sql, filter: PaymentFilter): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from payments p join users u on u.account_id = p.account_id where ${matching(sql, filter)}
	`
	return row?.total ?? 0
}

/** Returns the number of all payments with a fault, and of those that are open for long. */
export async function countWatchedAllAccounts(sql: Sql): Promise<{ faulty: number; open: number }> {
	const [row] = await sql<{ faulty: number; open: number }[]>`
		select count(*) filter (where p.fault is not null) as faulty, count(*) filter (where ${isOpenForLong(sql)}) as open
		from payments p
		where p.fault is not null or p.state = 'created'
	`
	return row ?? { faulty: 0, open: 0 }
}
