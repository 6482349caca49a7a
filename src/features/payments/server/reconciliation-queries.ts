import { MAX_FINDINGS, type Finding } from '#features/wallet/server/ledger.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/**
 * Checks that each credited payment has its one recharge and no other payment has one, and that what refunds take back is
 * either taken from the wallet or owed, and on credit notes if the receipt is a tax invoice. Each statement reads one
 * snapshot, so that concurrent checks of payments cause no findings.
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
	const notes = await sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'the notes of a tax invoice are what was refunded' as rule,
			format('payment %s: refunded %s of %s paise, notes over %s paise, of them %s taxable and %s, %s, %s tax',
				p.id, p.refunded_paise, p.total, n.total, n.taxable, n.cgst, n.sgst, n.igst) as detail
		from (
			select id, refunded_paise, igst_paise, credit_paise + cgst_paise + sgst_paise + igst_paise as total,
				div(credit_paise::numeric * refunded_paise, credit_paise + cgst_paise + sgst_paise + igst_paise)::bigint as taken
			from payments where account_id = ${accountId} and credited_by is not null
		) p
		join ledger_entries e on e.account_id = ${accountId} and e.reference = 'payment:' || p.id
		join receipts r on r.account_id = ${accountId} and r.entry_id = e.id and r.invoice_series is not null
		left join (
			select entry_id, sum(sign * taxable_paise)::bigint as taxable, sum(sign * cgst_paise)::bigint as cgst,
				sum(sign * sgst_paise)::bigint as sgst, sum(sign * igst_paise)::bigint as igst,
				sum(sign * (taxable_paise + cgst_paise + sgst_paise + igst_paise + rounding_paise))::bigint as total
			from (select *, case kind when 'credit' then 1 else -1 end as sign from tax_notes where account_id = ${accountId}) t
			group by entry_id
		) n on n.entry_id = r.entry_id
		where (coalesce(n.total, 0), coalesce(n.taxable, 0), coalesce(n.igst, 0)) is distinct from
				(p.refunded_paise, p.taken, case when p.igst_paise > 0 then p.refunded_paise - p.taken else 0 end)
			or coalesce(n.cgst, 0) <> case when p.igst_paise > 0 then 0 else (p.refunded_paise - p.taken) / 2 end
			or coalesce(n.sgst, 0) <> coalesce(n.cgst, 0)
		limit ${MAX_FINDINGS}
	`
	return [...credits, ...reversals, ...notes]
}
