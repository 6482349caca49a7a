import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/**
 * Checks that each credited payment has its one recharge and no other payment has one, and that what refunds take back is
 * either taken from the wallet or owed. Each statement reads one snapshot, so that concurrent checks disturb nothing.
 */
export async function reconcilePayments(sql: Sql, accountId: AccountId): Promise<Finding[]> {
	const credits = await sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'each paid payment is credited once' as rule,
			format('payment %s: credited by %s, %s paise, ledger %s', p.id, p.credited_by, p.credit_paise, e.available_change_paise)
				as detail
		from (select * from payments where account_id = ${accountId}) p
		full join (
			select * from ledger_entries where account_id = ${accountId} and kind = 'recharge' and reference like 'payment:%'
		) e on e.reference = 'payment:' || p.id
		where (p.credited_by is not null) is distinct from (e.id is not null)
			or e.available_change_paise <> p.credit_paise
		limit ${MAX_FINDINGS}
	`
	const reversals = await sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'what was refunded is taken back or owed' as rule,
			format('refunds take %s paise of credits, reversals took %s, owed %s', back.paise, taken.paise, w.owed_paise) as detail
		from wallets w
		cross join lateral (
			select coalesce(sum(div(
				credit_paise::numeric * refunded_paise, credit_paise + cgst_paise + sgst_paise + igst_paise
			)), 0)::bigint as paise
			from payments where account_id = ${accountId} and credited_by is not null
		) back
		cross join lateral (
			select coalesce(-sum(available_change_paise), 0)::bigint as paise
			from ledger_entries where account_id = ${accountId} and kind = 'reversal'
		) taken
		where w.account_id = ${accountId} and back.paise <> taken.paise + w.owed_paise
	`
	return [...credits, ...reversals]
}
