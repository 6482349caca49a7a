import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'

/** A receipt as it was issued. Receipts from before issuers were stored have no issuer name. */
export interface Receipt {
	accountId: AccountId
	entryId: number
	number: number
	amountPaise: number
	notes: string | null
	paidAt: Date
	payerName: string
	payerEmail: string
	/** Business details of the payer on the day of the recharge; null where not given. */
	payerBusinessName: string | null
	payerBusinessAddress: string | null
	payerGstin: string | null
	adminName: string | null
	issuerName: string | null
	issuerAddress: string | null
	issuerGstin: string | null
}

/**
 * Takes the next receipt number, shared by all accounts. Other transactions wait until this one ends; a rollback
 * returns the number, so the numbers have no gap.
 */
export async function takeReceiptNumberAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<{ number: number }[]>`
		update receipt_counters set last_number = last_number + 1 where series = 'recharge' returning last_number as number
	`
	if (!row) throw new Error('there is no counter for receipts')
	return row.number
}

/** Stores the receipt of a recharge with the current names of payer, admin and issuer. */
export async function insertReceipt(
	sql: Sql,
	accountId: AccountId,
	{ reference, number, issuer }: { reference: string; number: number; issuer: Issuer | undefined },
): Promise<void> {
	await sql`
		insert into receipts (
			account_id, entry_id, number, payer_name, payer_email, admin_name, issuer_name, issuer_address, issuer_gstin,
			payer_business_name, payer_business_address, payer_gstin
		)
		select e.account_id, e.id, ${number}::bigint, u.name, u.email, a.name,
			${issuer?.name ?? null}::text, ${issuer?.address ?? null}::text, ${issuer?.gstin ?? null}::text,
			u.business_name, u.business_address, u.gstin
		from ledger_entries e
		join users u on u.account_id = e.account_id
		left join users a on a.id = e.admin_id
		where e.account_id = ${accountId} and e.reference = ${reference}
	`
}

/** Returns a recharge's receipt of any account, undefined without one; the caller checks access. */
export async function findReceiptAllAccounts(sql: Sql, entryId: number): Promise<Receipt | undefined> {
	const [row] = await sql<Receipt[]>`
		select r.account_id as "accountId", r.entry_id as "entryId", r.number, e.available_change_paise as "amountPaise", e.notes,
			e.created_at as "paidAt", r.payer_name as "payerName", r.payer_email as "payerEmail", r.admin_name as "adminName",
			r.issuer_name as "issuerName", r.issuer_address as "issuerAddress", r.issuer_gstin as "issuerGstin",
			r.payer_business_name as "payerBusinessName", r.payer_business_address as "payerBusinessAddress",
			r.payer_gstin as "payerGstin"
		from receipts r
		join ledger_entries e on e.account_id = r.account_id and e.id = r.entry_id
		where r.entry_id = ${entryId}
	`
	return row
}

export interface LatestReceipt {
	number: number
	accountId: AccountId
	at: Date
}

/** Returns the receipt with the highest number and the time of its recharge; null without receipts. */
export async function findLatestReceiptAllAccounts(sql: Sql): Promise<LatestReceipt | null> {
	const [row] = await sql<LatestReceipt[]>`
		select r.number, r.account_id as "accountId", e.created_at as at
		from receipts r
		join ledger_entries e on e.account_id = r.account_id and e.id = r.entry_id
		order by r.number desc
		limit 1
	`
	return row ?? null
}
