import type { NoteKind } from '#features/wallet/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import type { PaymentFault, PaymentState } from '../contract.ts'
import type { PaymentAmounts } from '../rules.ts'

/** Cause of the check of a payment: a webhook, the payer's return, or only the time. */
export type CheckCause = 'webhook' | 'return' | 'poll'

/** A payment as it is stored. */
export interface Payment extends PaymentAmounts {
	accountId: AccountId
	id: number
	reference: string
	userId: number
	gstPercent: number
	/** GST code of the state that decided the tax; null without tax, or when it is unknown. */
	placeOfSupply: string | null
	state: PaymentState
	providerId: string | null
	providerUrl: string | null
	providerPaymentId: string | null
	method: string | null
	back: string | null
	creditedBy: CheckCause | null
	refundedPaise: number
	fault: PaymentFault | null
	createdAt: Date
	expiresAt: Date
	paidAt: Date | null
	/** Ledger entry of the credit; null while the wallet is not credited. */
	receiptId: number | null
}

/** Returns SQL for the columns of `Payment`, of `payments p` with the ledger entry `e` of its credit. */
export const columnsAllAccounts = (sql: Sql) => sql`
	p.account_id as "accountId", p.id, p.reference, p.user_id as "userId", p.credit_paise as "creditPaise",
	p.cgst_paise as "cgstPaise", p.sgst_paise as "sgstPaise", p.igst_paise as "igstPaise",
	p.gst_percent::float8 as "gstPercent", p.place_of_supply as "placeOfSupply", p.state, p.provider_id as "providerId", p.provider_url as "providerUrl",
	p.provider_payment_id as "providerPaymentId", p.method, p.back, p.credited_by as "creditedBy",
	p.refunded_paise as "refundedPaise", p.fault, p.created_at as "createdAt", p.expires_at as "expiresAt",
	p.paid_at as "paidAt", e.id as "receiptId"
`

/** Returns SQL for payments `p`, each with the ledger entry `e` of its credit. */
export const paymentsAllAccounts = (sql: Sql) => sql`
	payments p
	left join ledger_entries e on e.account_id = p.account_id and e.reference = 'payment:' || p.id
`

export interface NewPayment extends PaymentAmounts {
	reference: string
	requestId: string
	userId: number
	gstPercent: number
	placeOfSupply: string | null
	back: string | undefined
	/** Seconds until the page expires, and until a payment whose creation was interrupted is looked up. */
	lifeSeconds: number
	firstCheckSeconds: number
}

/** Inserts a payment and returns its id; null when the request id is known. */
export async function insertPayment(sql: Sql, accountId: AccountId, payment: NewPayment): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		insert into payments (
			account_id, reference, request_id, user_id, credit_paise, cgst_paise, sgst_paise, igst_paise, gst_percent,
			place_of_supply, back, expires_at, check_at
		)
		values (
			${accountId}, ${payment.reference}, ${payment.requestId}, ${payment.userId}, ${payment.creditPaise},
			${payment.cgstPaise}, ${payment.sgstPaise}, ${payment.igstPaise}, ${payment.gstPercent},
			${payment.placeOfSupply}, ${payment.back ?? null},
			now() + make_interval(secs => ${payment.lifeSeconds}), now() + make_interval(secs => ${payment.firstCheckSeconds})
		)
		on conflict (account_id, request_id) do nothing
		returning id
	`
	return row?.id ?? null
}

export async function findByRequest(sql: Sql, accountId: AccountId, requestId: string): Promise<Payment | undefined> {
	const [row] = await sql<Payment[]>`
		select ${columnsAllAccounts(sql)} from ${paymentsAllAccounts(sql)}
		where p.account_id = ${accountId} and p.request_id = ${requestId}
	`
	return row
}

export async function findPayment(sql: Sql, accountId: AccountId, id: number): Promise<Payment | undefined> {
	const [row] = await sql<Payment[]>`
		select ${columnsAllAccounts(sql)} from ${paymentsAllAccounts(sql)} where p.account_id = ${accountId} and p.id = ${id}
	`
	return row
}

/** Returns payments, newest first. */
export async function listPayments(sql: Sql, accountId: AccountId, wanted: PageQuery): Promise<Payment[]> {
	return sql<Payment[]>`
		select ${columnsAllAccounts(sql)} from ${paymentsAllAccounts(sql)}
		where p.account_id = ${accountId}
		order by p.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** A note of the tax invoice of a payment. */
export interface Note {
	id: number
	/** Ledger entry of the payment's credit. */
	receiptId: number
	kind: NoteKind
	series: string
	number: number
	totalPaise: number
}

/** Returns the notes of the tax invoices with these ledger entries, oldest first. The caller checks access to the entries. */
export async function listNotesAllAccounts(sql: Sql, receiptIds: readonly number[]): Promise<Note[]> {
	if (receiptIds.length === 0) return []
	return sql<Note[]>`
		select id, entry_id as "receiptId", kind, series, number,
			taxable_paise + cgst_paise + sgst_paise + igst_paise + rounding_paise as "totalPaise"
		from tax_notes where entry_id = any(${receiptIds}::bigint[])
		order by id
	`
}

export async function countPayments(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total from payments where account_id = ${accountId}`
	return row?.total ?? 0
}

/** Returns the number of payments that are neither paid nor ended. */
export async function countOpen(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ open: number }[]>`
		select count(*) as open from payments
		where account_id = ${accountId} and state = 'created' and expires_at > now()
	`
	return row?.open ?? 0
}

/** Stores the page at the provider. */
export async function updatePage(
	sql: Sql,
	accountId: AccountId,
	{ id, providerId, url }: { id: number; providerId: string; url: string },
): Promise<void> {
	await sql`
		update payments set provider_id = ${providerId}, provider_url = ${url}
		where account_id = ${accountId} and id = ${id} and provider_id is null
	`
}

export interface Payer {
	/** Empty texts when not known. */
	gstin: string
	businessState: string
	owedPaise: number
}

/** Returns the facts about an account that a payment depends on. */
export async function getPayer(sql: Sql, accountId: AccountId): Promise<Payer> {
	const [row] = await sql<Payer[]>`
		select coalesce(u.gstin, '') as gstin, coalesce(u.business_state, '') as "businessState", coalesce(w.owed_paise, 0) as "owedPaise"
		from users u
		left join wallets w on w.account_id = u.account_id
		where u.account_id = ${accountId}
	`
	return row ?? { gstin: '', businessState: '', owedPaise: 0 }
}
