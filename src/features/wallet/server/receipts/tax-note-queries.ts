import type { NoteKind } from '#features/wallet/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { YearNumber } from './receipt-queries.ts'

/** Parts of the money that a note is about, in paise. */
export interface NoteAmounts {
	taxablePaise: number
	cgstPaise: number
	sgstPaise: number
	igstPaise: number
	/** Money less value and taxes; a paisa more or less, or 0. */
	roundingPaise: number
}

/** A credit or debit note as it was issued. */
export interface TaxNote extends YearNumber, NoteAmounts {
	accountId: AccountId
	/** Ledger entry of the recharge whose tax invoice the note changes. */
	entryId: number
	kind: NoteKind
	reason: string
	issuedAt: Date
}

/** Returns the ledger entry of the recharge with this reference if its receipt is a tax invoice; null otherwise. */
export async function findInvoiceEntry(sql: Sql, accountId: AccountId, reference: string): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		select e.id from ledger_entries e
		join receipts r on r.account_id = e.account_id and r.entry_id = e.id
		where e.account_id = ${accountId} and e.reference = ${reference} and r.invoice_series is not null
	`
	return row?.id ?? null
}

/** Inserts a note. A second note of the same reversal breaks the unique key. */
export async function insertTaxNote(
	sql: Sql,
	accountId: AccountId,
	note: Omit<TaxNote, 'accountId' | 'issuedAt'> & { reversal: string },
): Promise<void> {
	await sql`
		insert into tax_notes (
			account_id, reversal, entry_id, kind, reason, series, number,
			taxable_paise, cgst_paise, sgst_paise, igst_paise, rounding_paise
		)
		values (
			${accountId}, ${note.reversal}, ${note.entryId}, ${note.kind}, ${note.reason}, ${note.series}, ${note.number},
			${note.taxablePaise}, ${note.cgstPaise}, ${note.sgstPaise}, ${note.igstPaise}, ${note.roundingPaise}
		)
	`
}

/** Returns a note of any account, undefined without one; the caller checks access. */
export async function findTaxNoteAllAccounts(sql: Sql, id: number): Promise<TaxNote | undefined> {
	const [row] = await sql<TaxNote[]>`
		select account_id as "accountId", entry_id as "entryId", kind, reason, series, number, taxable_paise as "taxablePaise",
			cgst_paise as "cgstPaise", sgst_paise as "sgstPaise", igst_paise as "igstPaise", rounding_paise as "roundingPaise",
			created_at as "issuedAt"
		from tax_notes where id = ${id}
	`
	return row
}
