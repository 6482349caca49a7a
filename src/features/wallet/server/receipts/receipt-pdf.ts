import { invoiceText, methodName, noteText, type NoteKind } from '#features/wallet/rules.ts'
import { formatDateTime } from '#lib/dates.ts'
import { stateTaxName, stateText } from '#lib/gst-states.ts'
import { stateOfGstin } from '#lib/gstin.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { rupeesInWords } from '#lib/rupees-in-words.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import { BRAND, businessLines, openPdf, QUIET, writeIssuer } from '#lib/server/pdf/pdf-document.ts'
import type { Receipt, TaxInvoice } from './receipt-queries.ts'
import { createSheet, HEADING, LEFT, STRONG, TOP, type Sheet } from './receipt-sheet.ts'
import type { NoteAmounts, TaxNote } from './tax-note-queries.ts'

const RECEIVED = 'Amount received'
const NOT_AN_INVOICE = 'This is a computer-generated receipt and needs no signature. It is not a tax invoice.'
const AN_INVOICE = 'This is a computer-generated tax invoice and needs no signature. It was paid in full.'

/** Words of each kind of note: its title, the label of its amount, and its last sentences. */
const NOTES: Readonly<Record<NoteKind, { title: string; amount: string; end: string }>> = {
	credit: {
		title: 'Credit Note',
		amount: 'Amount credited',
		end: 'This is a computer-generated credit note and needs no signature. If you have claimed input tax credit on the invoice, reverse the tax above.',
	},
	debit: {
		title: 'Debit Note',
		amount: 'Amount debited',
		end: 'This is a computer-generated debit note and needs no signature. It takes back an earlier credit note of the invoice.',
	},
}

/**
 * Returns a receipt as PDF. The bytes depend only on the receipt, not on the time of printing; `issuer` is used for
 * receipts older than stored issuers.
 */
export function makeReceipt(receipt: Receipt, issuer: Issuer): Promise<Buffer> {
	const { invoice, issuerName, issuerAddress, issuerGstin, paidAt } = receipt
	return makeDocument({
		title: invoice ? `Tax Invoice ${invoiceText(invoice)}` : `Receipt ${receipt.number}`,
		issuer: issuerName ? { name: issuerName, address: issuerAddress ?? '', gstin: issuerGstin ?? '' } : issuer,
		madeAt: paidAt,
		draw: (sheet) => drawReceipt(sheet, receipt),
	})
}

/** A note with the tax invoice that it changes. */
export interface NoteOfInvoice {
	note: TaxNote
	receipt: Receipt
}

/** Returns a credit or debit note as PDF. Both sides are named as on the tax invoice. */
export function makeTaxNote(given: NoteOfInvoice): Promise<Buffer> {
	const { note, receipt } = given
	const { issuerName, issuerAddress, issuerGstin } = receipt
	return makeDocument({
		title: `${NOTES[note.kind].title} ${noteText(note)}`,
		issuer: { name: issuerName ?? '', address: issuerAddress ?? '', gstin: issuerGstin ?? '' },
		madeAt: note.issuedAt,
		draw: (sheet) => drawTaxNote(sheet, given),
	})
}

interface NewDocument {
	title: string
	issuer: Issuer
	madeAt: Date
	/** Writes what follows the issuer. */
	draw: (sheet: Sheet) => void
}

async function makeDocument({ title, issuer, madeAt, draw }: NewDocument): Promise<Buffer> {
	const doc = openPdf({ title, author: issuer.name, madeAt, margin: LEFT })
	const pieces: Buffer[] = []
	doc.on('data', (piece: Buffer) => pieces.push(piece))
	const ended = new Promise((resolve) => doc.on('end', resolve))
	draw(createSheet(doc, writeIssuer(doc, issuer, TOP)))
	doc.end()
	await ended
	return Buffer.concat(pieces)
}

/** Writes what follows the issuer: a tax invoice if the receipt has a tax, otherwise a payment receipt. */
export function drawReceipt(sheet: Sheet, receipt: Receipt): void {
	if (receipt.invoice) drawInvoice(sheet, receipt, receipt.invoice)
	else drawPayment(sheet, receipt)
}

function drawPayment(sheet: Sheet, receipt: Receipt): void {
	writeTitle(sheet, 'Payment Receipt')
	sheet.pair('Receipt No.', [receiptNumber(receipt)])
	sheet.pair('Date', [dateOf(receipt.paidAt)])
	sheet.pair('Received from', [receipt.payerName, receipt.payerEmail, ...businessLines(businessOf(receipt))])
	sheet.down(12)
	writeAmount(sheet, RECEIVED, receipt.amountPaise)
	sheet.down(12)
	sheet.pair('For', ['Prepaid wallet recharge'])
	sheet.pair('Notes', [receipt.notes ?? 'No notes'])
	if (receipt.adminName) sheet.pair('Received by', [receipt.adminName])
	writePayment(sheet, receipt)
	writeEnd(sheet, NOT_AN_INVOICE)
}

function drawInvoice(sheet: Sheet, receipt: Receipt, invoice: TaxInvoice): void {
	writeIssuerState(sheet, receipt)
	writeTitle(sheet, 'Tax Invoice')
	sheet.pair('Invoice No.', [invoiceText(invoice)])
	sheet.pair('Date', [dateOf(receipt.paidAt)])
	writeRecipient(sheet, receipt, invoice)
	sheet.pair('Reverse charge', ['No'])
	sheet.down(12)
	const totalPaise = writeLines(sheet, invoice, { ...invoice, taxablePaise: receipt.amountPaise, roundingPaise: 0 })
	sheet.down(10)
	writeAmount(sheet, RECEIVED, totalPaise)
	sheet.down(12)
	writePayment(sheet, receipt)
	sheet.pair('Receipt No.', [receiptNumber(receipt)])
	if (receipt.notes) sheet.pair('Notes', [receipt.notes])
	writeEnd(sheet, AN_INVOICE)
}

/** Writes what follows the issuer on a note of a tax invoice, with the particulars of Rule 53. */
export function drawTaxNote(sheet: Sheet, { note, receipt }: NoteOfInvoice): void {
	const { invoice } = receipt
	if (!invoice) throw new Error(`the recharge ${receipt.entryId} has a note and no tax invoice`)
	const { title, amount, end } = NOTES[note.kind]
	writeIssuerState(sheet, receipt)
	writeTitle(sheet, title)
	sheet.pair(`${title} No.`, [noteText(note)])
	sheet.pair('Date', [dateOf(note.issuedAt)])
	sheet.pair('Tax invoice', [invoiceText(invoice), dateOf(receipt.paidAt)])
	writeRecipient(sheet, receipt, invoice)
	sheet.pair('Reason', [note.reason])
	sheet.down(12)
	const totalPaise = writeLines(sheet, invoice, note)
	sheet.down(10)
	writeAmount(sheet, amount, totalPaise)
	sheet.down(12)
	if (receipt.paymentId) sheet.pair('Payment ID', [receipt.paymentId])
	writeEnd(sheet, end)
}

function writeIssuerState(sheet: Sheet, { issuerGstin }: Receipt): void {
	const state = stateOfGstin(issuerGstin ?? '')
	if (state) sheet.write('P', `State: ${stateText(state)}`, { size: 10, color: QUIET })
}

function writeRecipient(sheet: Sheet, receipt: Receipt, { placeOfSupply }: TaxInvoice): void {
	const { name, ...details } = businessOf(receipt)
	const contact = name ? [name, receipt.payerName] : [receipt.payerName]
	const state = receipt.payerState ? [`State: ${stateText(receipt.payerState)}`] : []
	const address = businessLines({ name: '', ...details, gstin: '' })
	const gstin = details.gstin ? [`GSTIN: ${details.gstin}`] : []
	sheet.pair('Billed to', [...contact, receipt.payerEmail, ...address, ...state, ...gstin])
	if (placeOfSupply) sheet.pair('Place of supply', [stateText(placeOfSupply)])
}

/** Writes the supply, its taxes as the invoice has them, and the total; returns the total in paise. */
function writeLines(sheet: Sheet, invoice: TaxInvoice, amounts: NoteAmounts): number {
	const { taxablePaise, cgstPaise, sgstPaise, igstPaise, roundingPaise } = amounts
	const { percent } = invoice
	const half = `${percent / 2}%`
	const taxes: [name: string, rate: string, paise: number][] =
		invoice.igstPaise > 0
			? [['IGST', `${percent}%`, igstPaise]]
			: [
					['CGST', half, cgstPaise],
					[stateTaxName(invoice.placeOfSupply), half, sgstPaise],
				]
	const totalPaise = taxablePaise + cgstPaise + sgstPaise + igstPaise + roundingPaise
	sheet.row(['Description', 'SAC / rate', 'Amount'], HEADING)
	sheet.line()
	sheet.down(6)
	sheet.row(['Prepaid wallet recharge for WhatsApp messages', invoice.sac, rupees(taxablePaise)])
	sheet.row(['Taxable value', rupees(taxablePaise)])
	for (const [name, rate, paise] of taxes) sheet.row([name, rate, rupees(paise)])
	if (roundingPaise !== 0) sheet.row(['Rounding', rupees(roundingPaise)])
	sheet.line()
	sheet.down(6)
	sheet.row(['Total', rupees(totalPaise)], STRONG)
	return totalPaise
}

function writeAmount(sheet: Sheet, label: string, paise: number): void {
	sheet.amount(label, rupees(paise), rupeesInWords(paise))
}

function writePayment(sheet: Sheet, { paymentId, paymentMethod, entryId }: Receipt): void {
	const method = methodName(paymentMethod)
	if (method) sheet.pair('Paid by', [method])
	if (paymentId) sheet.pair('Payment ID', [paymentId])
	sheet.pair('Transaction ID', [String(entryId)])
}

function writeTitle(sheet: Sheet, title: string): void {
	sheet.down(16)
	sheet.line()
	sheet.down(16)
	sheet.write('H2', title, { size: 20, bold: true, color: BRAND, gap: 10 })
}

function writeEnd(sheet: Sheet, text: string): void {
	sheet.down(14)
	sheet.line()
	sheet.down(10)
	sheet.write('P', text, { size: 9, color: QUIET })
}

function businessOf(receipt: Receipt): { name: string; address: string; gstin: string } {
	return {
		name: receipt.payerBusinessName ?? '',
		address: receipt.payerBusinessAddress ?? '',
		gstin: receipt.payerGstin ?? '',
	}
}

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))
const receiptNumber = ({ number }: Receipt) => String(number).padStart(6, '0')
const dateOf = (time: Date) => `${formatDateTime(time.toISOString())} (IST)`
