import { invoiceText, methodName } from '#features/wallet/rules.ts'
import { formatDateTime } from '#lib/dates.ts'
import { stateTaxName, stateText } from '#lib/gst-states.ts'
import { stateOfGstin } from '#lib/gstin.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { rupeesInWords } from '#lib/rupees-in-words.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import { BRAND, businessLines, openPdf, QUIET, writeIssuer } from '#lib/server/pdf/pdf-document.ts'
import type { Receipt, TaxInvoice } from './receipt-queries.ts'
import { createSheet, HEADING, LEFT, STRONG, TOP, type Sheet } from './receipt-sheet.ts'

const NOT_AN_INVOICE = 'This is a computer-generated receipt and needs no signature. It is not a tax invoice.'
const AN_INVOICE = 'This is a computer-generated tax invoice and needs no signature. It was paid in full.'

/**
 * Returns a receipt as PDF. The bytes depend only on the receipt, not on the time of printing; `issuer` is used for
 * receipts older than stored issuers.
 */
export async function makeReceipt(receipt: Receipt, issuer: Issuer): Promise<Buffer> {
	const named = receipt.issuerName
		? { name: receipt.issuerName, address: receipt.issuerAddress ?? '', gstin: receipt.issuerGstin ?? '' }
		: issuer
	const { invoice } = receipt
	const doc = openPdf({
		title: invoice ? `Tax Invoice ${invoiceText(invoice)}` : `Receipt ${receipt.number}`,
		author: named.name,
		madeAt: receipt.paidAt,
		margin: LEFT,
	})
	const pieces: Buffer[] = []
	doc.on('data', (piece: Buffer) => pieces.push(piece))
	const ended = new Promise((resolve) => doc.on('end', resolve))
	drawReceipt(createSheet(doc, writeIssuer(doc, named, TOP)), receipt)
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
	sheet.pair('Date', [dateOf(receipt)])
	sheet.pair('Received from', [receipt.payerName, receipt.payerEmail, ...businessLines(businessOf(receipt))])
	sheet.down(12)
	sheet.amount(rupees(receipt.amountPaise), rupeesInWords(receipt.amountPaise))
	sheet.down(12)
	sheet.pair('For', ['Prepaid wallet recharge'])
	sheet.pair('Notes', [receipt.notes ?? 'No notes'])
	if (receipt.adminName) sheet.pair('Received by', [receipt.adminName])
	writePayment(sheet, receipt)
	writeEnd(sheet, NOT_AN_INVOICE)
}

function drawInvoice(sheet: Sheet, receipt: Receipt, invoice: TaxInvoice): void {
	const issuerState = stateOfGstin(receipt.issuerGstin ?? '')
	if (issuerState) sheet.write('P', `State: ${stateText(issuerState)}`, { size: 10, color: QUIET })
	writeTitle(sheet, 'Tax Invoice')
	sheet.pair('Invoice No.', [invoiceText(invoice)])
	sheet.pair('Date', [dateOf(receipt)])
	const { name, ...details } = businessOf(receipt)
	const contact = name ? [name, receipt.payerName] : [receipt.payerName]
	const state = receipt.payerState ? [`State: ${stateText(receipt.payerState)}`] : []
	const address = businessLines({ name: '', ...details, gstin: '' })
	const gstin = details.gstin ? [`GSTIN: ${details.gstin}`] : []
	sheet.pair('Billed to', [...contact, receipt.payerEmail, ...address, ...state, ...gstin])
	if (invoice.placeOfSupply) sheet.pair('Place of supply', [stateText(invoice.placeOfSupply)])
	sheet.pair('Reverse charge', ['No'])
	sheet.down(12)
	const totalPaise = writeLines(sheet, receipt.amountPaise, invoice)
	sheet.down(10)
	sheet.amount(rupees(totalPaise), rupeesInWords(totalPaise))
	sheet.down(12)
	writePayment(sheet, receipt)
	sheet.pair('Receipt No.', [receiptNumber(receipt)])
	if (receipt.notes) sheet.pair('Notes', [receipt.notes])
	writeEnd(sheet, AN_INVOICE)
}

/** Writes the supply, its taxes and the total; returns the total in paise. */
function writeLines(sheet: Sheet, amountPaise: number, invoice: TaxInvoice): number {
	const { cgstPaise, sgstPaise, igstPaise, percent } = invoice
	const half = `${percent / 2}%`
	const taxes: [name: string, rate: string, paise: number][] =
		igstPaise > 0
			? [['IGST', `${percent}%`, igstPaise]]
			: [
					['CGST', half, cgstPaise],
					[stateTaxName(invoice.placeOfSupply), half, sgstPaise],
				]
	const totalPaise = amountPaise + cgstPaise + sgstPaise + igstPaise
	sheet.row(['Description', 'SAC / rate', 'Amount'], HEADING)
	sheet.line()
	sheet.down(6)
	sheet.row(['Prepaid wallet recharge for WhatsApp messages', invoice.sac, rupees(amountPaise)])
	sheet.row(['Taxable value', rupees(amountPaise)])
	for (const [name, rate, paise] of taxes) sheet.row([name, rate, rupees(paise)])
	sheet.line()
	sheet.down(6)
	sheet.row(['Total', rupees(totalPaise)], STRONG)
	return totalPaise
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
const dateOf = ({ paidAt }: Receipt) => `${formatDateTime(paidAt.toISOString())} (IST)`
