import Pdf from 'pdfkit'
import { formatDateTime } from '#lib/dates.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { rupeesInWords } from '#lib/rupees-in-words.ts'
import type { Issuer, Receipt } from './receipt-queries.ts'
import { registerFonts, writeText, type TextStyle } from './receipt-text.ts'

const INK = '#13201A'
const QUIET = '#4F5F57'
const BRAND = '#0A6E4A'
const HAIRLINE = '#DCE5E0'
const TINT = '#E8F6EF'

/** In points. */
const LEFT = 56
const WIDTH = 483
const LABEL_WIDTH = 130

/**
 * A receipt as PDF. The same receipt always makes the same bytes: nothing in it is of the moment it is printed.
 * `issuer` stands in where the receipt is from before issuers were written down.
 */
export async function makeReceipt(receipt: Receipt, issuer: Issuer): Promise<Buffer> {
	const named = receipt.issuerName
		? { name: receipt.issuerName, address: receipt.issuerAddress ?? '', gstin: receipt.issuerGstin ?? '' }
		: issuer
	const doc = new Pdf({
		size: 'A4',
		margins: { top: 56, bottom: 40, left: LEFT, right: LEFT },
		pdfVersion: '1.7',
		tagged: true,
		lang: 'en-IN',
		displayTitle: true,
		info: {
			Title: `Receipt ${receipt.number}`,
			Author: named.name,
			CreationDate: receipt.paidAt,
			ModDate: receipt.paidAt,
		},
	})
	const pieces: Buffer[] = []
	doc.on('data', (piece: Buffer) => pieces.push(piece))
	const ended = new Promise((resolve) => doc.on('end', resolve))
	registerFonts(doc)
	draw(createSheet(doc), receipt, named)
	doc.end()
	await ended
	return Buffer.concat(pieces)
}

function draw(sheet: Sheet, receipt: Receipt, issuer: Issuer): void {
	sheet.block({ x: 0, y: 0, width: 595, height: 8 }, BRAND)
	sheet.write('H1', issuer.name, { size: 16, bold: true, color: INK, gap: 2 })
	for (const line of issuer.address.split(/\s*\n\s*/).filter(Boolean))
		sheet.write('P', line, { size: 10, color: QUIET })
	if (issuer.gstin) sheet.write('P', `GSTIN: ${issuer.gstin}`, { size: 10, color: QUIET })
	sheet.down(18)
	sheet.line()
	sheet.down(18)
	sheet.write('H2', 'Payment Receipt', { size: 20, bold: true, color: BRAND, gap: 10 })
	sheet.pair('Receipt No.', String(receipt.number).padStart(6, '0'))
	sheet.pair('Date', `${formatDateTime(receipt.paidAt.toISOString())} (IST)`)
	sheet.pair('Received from', receipt.payerName, receipt.payerEmail)
	sheet.down(12)
	const amount = formatRupees(rupeesFromPaise(receipt.amountPaise))
	sheet.amount(amount, rupeesInWords(receipt.amountPaise))
	sheet.down(12)
	sheet.pair('For', 'Prepaid wallet recharge')
	sheet.pair('Notes', receipt.notes ?? 'No notes')
	if (receipt.adminName) sheet.pair('Received by', receipt.adminName)
	sheet.pair('Transaction ID', String(receipt.entryId))
	sheet.down(18)
	sheet.line()
	sheet.down(10)
	sheet.write('P', 'This is a computer-generated receipt and needs no signature.', { size: 9, color: QUIET })
}

interface Sheet {
	write(tag: string, text: string, style: TextStyle & { gap?: number }): void
	/** A name on the left, what it says on the right, and perhaps a quieter line under it. */
	pair(label: string, text: string, under?: string): void
	amount(figures: string, words: string): void
	block(box: { x: number; y: number; width: number; height: number }, color: string): void
	line(): void
	down(points: number): void
}

/** Writes downwards from where it last ended. Texts are tagged for screen readers, lines and areas are marked as decoration. */
function createSheet(doc: PDFKit.PDFDocument): Sheet {
	let y = 56
	const tagged = (tag: string, draws: () => void) => doc.addStructure(doc.struct(tag, {}, draws))
	const decoration = (draws: () => void) => {
		doc.markContent('Artifact', { type: 'Layout' })
		draws()
		doc.endMarkedContent()
	}
	const at = (x: number, top: number, room: number) => ({ doc, x, y: top, width: room })
	const sheet: Sheet = {
		write(tag, text, { gap = 0, ...style }) {
			tagged(tag, () => (y = writeText(at(LEFT, y, WIDTH), text, style) + gap))
		},
		pair(label, text, under) {
			const top = y
			tagged('P', () => {
				writeText(at(LEFT, top, LABEL_WIDTH - 10), label, { size: 10.5, color: QUIET })
				const room = WIDTH - LABEL_WIDTH
				y = writeText(at(LEFT + LABEL_WIDTH, top, room), text, { size: 10.5, color: INK })
				if (under) y = writeText(at(LEFT + LABEL_WIDTH, y, room), under, { size: 10, color: QUIET })
			})
			y += 7
		},
		amount(figures, words) {
			const top = y
			sheet.block({ x: LEFT, y: top, width: WIDTH, height: 84 }, TINT)
			tagged('P', () => {
				writeText(at(LEFT + 16, top + 12, WIDTH - 32), 'Amount received', { size: 10, color: QUIET })
				const under = writeText(at(LEFT + 16, top + 25, WIDTH - 32), figures, { size: 20, bold: true, color: BRAND })
				writeText(at(LEFT + 16, under + 1, WIDTH - 32), words, { size: 9.5, color: INK })
			})
			y = top + 84
		},
		block: (box, color) => decoration(() => doc.rect(box.x, box.y, box.width, box.height).fill(color)),
		line: () => sheet.block({ x: LEFT, y, width: WIDTH, height: 0.8 }, HAIRLINE),
		down: (points) => void (y += points),
	}
	return sheet
}
