import { financialYearOf } from '#features/wallet/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'

/** Tax that was paid in addition to the credited amount; amounts in paise. */
export interface Tax {
	/** Sum of the rates of both halves, such as 18. */
	percent: number
	cgstPaise: number
	/** The state's or the union territory's half. */
	sgstPaise: number
	igstPaise: number
	/** Service accounting code. */
	sac: string
	/** GST code of the state of supply; empty when it is unknown. */
	placeOfSupply: string
}

/** An online payment as its receipt shows it. */
export interface OnlinePayment {
	/** Method in the provider's words, such as "upi"; null when unknown. */
	method: string | null
	/** The provider's id of the payment; null when unknown. */
	paymentId: string | null
	/** Null when no tax was paid; the receipt is a tax invoice otherwise. */
	tax: Tax | null
}

export interface YearNumber {
	/** Financial year, such as "26-27". */
	series: string
	number: number
}

export type TaxInvoice = Tax & YearNumber

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
	/** GST code of the payer's state; null when unknown, and on receipts without tax. */
	payerState: string | null
	/** Method and id of an online payment at the provider; null for a recharge by an admin. */
	paymentMethod: string | null
	paymentId: string | null
	/** Number and tax of a tax invoice; null for a receipt without tax. */
	invoice: TaxInvoice | null
	adminName: string | null
	issuerName: string | null
	issuerAddress: string | null
	issuerGstin: string | null
}

/** Series of the numbers of receipts, which all recharges share. */
const RECEIPTS = 'recharge'

/** Begins the names of the series of a financial year in `receipt_counters`; the year follows. */
export const SERIES_OF_YEAR = { invoice: 'invoice:', debit: 'debit-note:', credit: 'credit-note:' } as const

/**
 * Takes the next number of a series, shared by all accounts; creates the series at its first number. Other transactions
 * wait until this one ends; a rollback returns the number, so the numbers have no gap.
 */
async function takeNumberAllAccounts(sql: Sql, series: string): Promise<number> {
	const [row] = await sql<{ number: number }[]>`
		insert into receipt_counters as c (series, last_number) values (${series}, 1)
		on conflict (series) do update set last_number = c.last_number + 1
		returning last_number as number
	`
	if (!row) throw new Error(`the series ${series} returned no number`)
	return row.number
}

export function takeReceiptNumberAllAccounts(sql: Sql): Promise<number> {
	return takeNumberAllAccounts(sql, RECEIPTS)
}

/**
 * Takes the next number of the tax invoices, or of the credit or debit notes, of the financial year of `at`, by default the
 * time that the transaction's ledger entries store. A transaction takes the number of a receipt first, then that of an
 * invoice, then that of a note.
 */
export async function takeNumberOfYearAllAccounts(
	sql: Sql,
	document: keyof typeof SERIES_OF_YEAR,
	at?: Date,
): Promise<YearNumber> {
	const [time] = await sql<[{ at: Date }]>`select coalesce(${at ?? null}::timestamptz, now()) as at`
	const series = financialYearOf(time.at)
	return { series, number: await takeNumberAllAccounts(sql, SERIES_OF_YEAR[document] + series) }
}

interface NewReceipt {
	/** Reference of the recharge's ledger entry. */
	reference: string
	number: number
	issuer: Issuer | undefined
	online?: OnlinePayment | undefined
	/** Required when `online` has a tax. */
	invoice?: YearNumber | undefined
}

/**
 * Stores the receipt of a recharge with the current names of payer, admin and issuer. An invoice omits GSTIN and state of
 * a payer who has moved to another state since the tax was computed.
 */
export async function insertReceipt(sql: Sql, accountId: AccountId, receipt: NewReceipt): Promise<void> {
	const { reference, number, issuer, online, invoice } = receipt
	const tax = online?.tax
	await sql`
		insert into receipts (
			account_id, entry_id, number, payer_name, payer_email, admin_name, issuer_name, issuer_address, issuer_gstin,
			payer_business_name, payer_business_address, payer_gstin, payment_method, payment_id, invoice_series, invoice_number,
			payer_state, place_of_supply, sac, gst_percent, cgst_paise, sgst_paise, igst_paise
		)
		select e.account_id, e.id, ${number}::bigint, u.name, u.email, a.name,
			${issuer?.name ?? null}::text, ${issuer?.address ?? null}::text, ${issuer?.gstin ?? null}::text,
			u.business_name, u.business_address,
			case when ${tax?.placeOfSupply ?? ''}::text in ('', left(u.gstin, 2)) then u.gstin end,
			${online?.method ?? null}::text, ${online?.paymentId ?? null}::text,
			${invoice?.series ?? null}::text, ${invoice?.number ?? null}::bigint,
			case when u.business_state = ${tax?.placeOfSupply ?? null}::text then u.business_state end, ${tax?.placeOfSupply ?? null}::text,
			${tax?.sac ?? null}::text, ${tax?.percent ?? null}::numeric, ${tax?.cgstPaise ?? null}::bigint,
			${tax?.sgstPaise ?? null}::bigint, ${tax?.igstPaise ?? null}::bigint
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
			r.payer_gstin as "payerGstin", r.payer_state as "payerState", r.payment_method as "paymentMethod",
			r.payment_id as "paymentId",
			case when r.invoice_series is not null then json_build_object(
				'series', r.invoice_series, 'number', r.invoice_number, 'placeOfSupply', coalesce(r.place_of_supply, ''), 'sac', r.sac,
				'percent', r.gst_percent, 'cgstPaise', r.cgst_paise, 'sgstPaise', r.sgst_paise, 'igstPaise', r.igst_paise
			) end as invoice
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
