import { formatDateTime } from '#lib/dates.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { rupeesInWords } from '#lib/rupees-in-words.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import {
	BRAND,
	businessLines,
	fillBox,
	HAIRLINE,
	INK,
	openPdf,
	QUIET,
	tag,
	TINT,
	writeIssuer,
} from '#lib/server/pdf/pdf-document.ts'
import { lineHeight, wrapText, writeText, type TextStyle } from '#lib/server/pdf/pdf-text.ts'
import type { Receipt } from './receipt-queries.ts'

/** Left edge and width of the text, in points. */
const LEFT = 56
const WIDTH = 483
const LABEL_WIDTH = 130
const TOP = 48
const BOTTOM = 800

const FIRST: TextStyle = { size: 10.5, color: INK }
const MORE: TextStyle = { size: 10, color: QUIET }

const NOT_AN_INVOICE = 'This is a computer-generated receipt and needs no signature. It is not a tax invoice.'

/**
 * Returns a receipt as PDF. The bytes depend on the receipt alone, not on the time of printing; `issuer` is used for
 * receipts older than stored issuers.
 */
export async function makeReceipt(receipt: Receipt, issuer: Issuer): Promise<Buffer> {
	const named = receipt.issuerName
		? { name: receipt.issuerName, address: receipt.issuerAddress ?? '', gstin: receipt.issuerGstin ?? '' }
		: issuer
	const doc = openPdf({
		title: `Receipt ${receipt.number}`,
		author: named.name,
		madeAt: receipt.paidAt,
		margin: LEFT,
	})
	const pieces: Buffer[] = []
	doc.on('data', (piece: Buffer) => pieces.push(piece))
	const ended = new Promise((resolve) => doc.on('end', resolve))
	draw(doc, receipt, named)
	doc.end()
	await ended
	return Buffer.concat(pieces)
}

function draw(doc: PDFKit.PDFDocument, receipt: Receipt, issuer: Issuer): void {
	const sheet = createSheet(doc, writeIssuer(doc, issuer, TOP))
	sheet.down(16)
	sheet.line()
	sheet.down(16)
	sheet.write('H2', 'Payment Receipt', { size: 20, bold: true, color: BRAND, gap: 10 })
	sheet.pair('Receipt No.', [String(receipt.number).padStart(6, '0')])
	sheet.pair('Date', [`${formatDateTime(receipt.paidAt.toISOString())} (IST)`])
	const business = {
		name: receipt.payerBusinessName ?? '',
		address: receipt.payerBusinessAddress ?? '',
		gstin: receipt.payerGstin ?? '',
	}
	sheet.pair('Received from', [receipt.payerName, receipt.payerEmail, ...businessLines(business)])
	sheet.down(12)
	const amount = formatRupees(rupeesFromPaise(receipt.amountPaise))
	sheet.amount(amount, rupeesInWords(receipt.amountPaise))
	sheet.down(12)
	sheet.pair('For', ['Prepaid wallet recharge'])
	sheet.pair('Notes', [receipt.notes ?? 'No notes'])
	if (receipt.adminName) sheet.pair('Received by', [receipt.adminName])
	sheet.pair('Transaction ID', [String(receipt.entryId)])
	sheet.down(14)
	sheet.line()
	sheet.down(10)
	sheet.write('P', NOT_AN_INVOICE, { size: 9, color: QUIET })
}

interface Sheet {
	write(name: string, text: string, style: TextStyle & { gap?: number }): void
	/** Writes a label on the left and its value on the right, with optional smaller lines below. */
	pair(label: string, texts: string[]): void
	amount(figures: string, words: string): void
	line(): void
	down(points: number): void
}

/** Returns a sheet that writes downwards from `top`. */
function createSheet(doc: PDFKit.PDFDocument, top: number): Sheet {
	let y = top
	const at = (x: number, from: number, room: number) => ({ doc, x, y: from, width: room })
	// Begins another page when `height` does not fit; only the longest texts need one.
	const makeRoom = (height: number) => {
		if (y + height <= BOTTOM) return
		doc.addPage()
		y = TOP
	}
	return {
		write(name, text, { gap = 0, ...style }) {
			makeRoom(lineHeight(style))
			tag(doc, name, () => (y = writeText(at(LEFT, y, WIDTH), text, style) + gap))
		},
		pair(label, texts) {
			const width = WIDTH - LABEL_WIDTH
			const styled = texts.map((text, index) => ({ text, style: index === 0 ? FIRST : MORE }))
			const lines = ({ text, style }: (typeof styled)[number]) => wrapText({ doc, width }, text, style).length
			makeRoom(styled.reduce((sum, one) => sum + lines(one) * lineHeight(one.style), 0))
			tag(doc, 'P', () => {
				writeText(at(LEFT, y, LABEL_WIDTH - 10), label, { size: 10.5, color: QUIET })
				for (const { text, style } of styled) y = writeText(at(LEFT + LABEL_WIDTH, y, width), text, style)
			})
			y += 7
		},
		amount(figures, words) {
			makeRoom(84)
			const start = y
			fillBox(doc, { x: LEFT, y: start, width: WIDTH, height: 84 }, TINT)
			tag(doc, 'P', () => {
				writeText(at(LEFT + 16, start + 12, WIDTH - 32), 'Amount received', { size: 10, color: QUIET })
				const under = writeText(at(LEFT + 16, start + 25, WIDTH - 32), figures, { size: 20, bold: true, color: BRAND })
				writeText(at(LEFT + 16, under + 1, WIDTH - 32), words, { size: 9.5, color: INK })
			})
			y = start + 84
		},
		line: () => fillBox(doc, { x: LEFT, y, width: WIDTH, height: 0.8 }, HAIRLINE),
		down: (points) => void (y += points),
	}
}
