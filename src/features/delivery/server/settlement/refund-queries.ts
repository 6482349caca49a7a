import { FLOOR_DAYS, USUAL_DAYS, WINDOW_DAYS } from '#features/wallet/rules.ts'
import type { RefundHistory } from '#features/wallet/server/refund-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

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

/** Returns the account's charges and refunds of the last days. Call it with the wallet locked. */
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
