import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns SQL for the sums of an account's statement lines of replies, which have negative campaign ids. */
const lines = (sql: Sql, accountId: AccountId) => sql`(
	select coalesce(sum(held_change_paise), 0)::bigint as held,
		coalesce(-sum(available_change_paise + held_change_paise), 0)::bigint as cost
	from statement_lines where account_id = ${accountId} and campaign_id < 0
)`

/** Checks that the money on hold for replies is the price of the replies whose charge is held. */
export async function checkHolds(sql: Sql, accountId: AccountId): Promise<Finding[]> {
	return sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'replies hold the price of those that wait for WhatsApp''s pricing' as rule,
			format('the statement holds %s, the replies %s', l.held, c.held) as detail
		from ${lines(sql, accountId)} l
		cross join (
			select coalesce(sum(price_paise), 0)::bigint as held from reply_charges where account_id = ${accountId} and state = 'held'
		) c
		where l.held <> c.held
	`
}

/**
 * Checks that the cost of replies in the statement is the price of the charged replies, and that the state of each charge
 * follows from its status and pricing. Skips charges that are due: their money is about to move.
 */
export async function checkCharges(sql: Sql, accountId: AccountId): Promise<Finding[]> {
	return sql<Finding[]>`
		with broken as (
			select 'replies cost the price of the charged ones' as rule,
				format('the statement says %s, the replies %s', l.cost, c.cost) as detail
			from ${lines(sql, accountId)} l
			cross join (
				select coalesce(sum(price_paise), 0)::bigint as cost from reply_charges
				where account_id = ${accountId} and state = 'charged'
			) c
			where l.cost <> c.cost
			union all
			select 'a reply is charged on WhatsApp''s word',
				format('reply %s is %s, its status %s and pricing %s', message_id, state, status, coalesce(pricing_type, 'unknown'))
			from reply_charges
			where account_id = ${accountId} and not is_due and (
				state = 'charged' and (status = 'failed' or pricing_type is distinct from 'regular')
				or state = 'held' and (status = 'failed' or pricing_type is not null)
				or state = 'returned' and status <> 'failed' and pricing_type = 'regular'
			)
		)
		select ${accountId}::bigint as "accountId", rule, detail from broken limit ${MAX_FINDINGS}
	`
}
