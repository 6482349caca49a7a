import Pdf from 'pdfkit'
import { registerFonts, writeText, type TextStyle } from './pdf-text.ts'

/** The business that issues receipts, printed at the top of each page. */
export interface Issuer {
	name: string
	address: string
	gstin: string
}

export const INK = '#13201A'
export const QUIET = '#4F5F57'
export const BRAND = '#0A6E4A'
export const HAIRLINE = '#DCE5E0'
export const TINT = '#E8F6EF'

/** A4 page size in points. */
export const PAGE_WIDTH = 595.28

interface PdfOptions {
	title: string
	author: string
	madeAt: Date
	/** Left and right margin. */
	margin: number
}

/** Opens a PDF with fonts and with text tags for screen readers. Finished pages are written out immediately. */
export function openPdf({ title, author, madeAt, margin }: PdfOptions): PDFKit.PDFDocument {
	const doc = new Pdf({
		size: 'A4',
		margins: { top: 40, bottom: 40, left: margin, right: margin },
		pdfVersion: '1.7',
		tagged: true,
		lang: 'en-IN',
		displayTitle: true,
		info: { Title: title, Author: author, CreationDate: madeAt, ModDate: madeAt },
	})
	registerFonts(doc)
	return doc
}

/** Writes text that screen readers read as this kind of element, such as a heading or paragraph. */
export function tag(doc: PDFKit.PDFDocument, name: string, draws: () => void): void {
	doc.addStructure(doc.struct(name, {}, draws))
}

/** Draws content that screen readers skip. */
export function decorate(doc: PDFKit.PDFDocument, draws: () => void): void {
	doc.markContent('Artifact', { type: 'Layout' })
	draws()
	doc.endMarkedContent()
}

export interface Box {
	x: number
	y: number
	width: number
	height: number
}

export function fillBox(doc: PDFKit.PDFDocument, { x, y, width, height }: Box, color: string): void {
	decorate(doc, () => doc.rect(x, y, width, height).fill(color))
}

/** Draws the coloured edge of the page and the issuer below it. Returns the y below both. */
export function writeIssuer(doc: PDFKit.PDFDocument, issuer: Issuer, top: number): number {
	const { left: x, right } = doc.page.margins
	const width = PAGE_WIDTH - x - right
	fillBox(doc, { x: 0, y: 0, width: PAGE_WIDTH, height: 8 }, BRAND)
	let y = top
	const write = (name: string, text: string, style: TextStyle) =>
		tag(doc, name, () => (y = writeText({ doc, x, y, width }, text, style)))
	write('H1', issuer.name, { size: 16, bold: true, color: INK })
	y += 2
	for (const line of [...issuer.address.split('\n'), issuer.gstin && `GSTIN: ${issuer.gstin}`].filter(Boolean))
		write('P', line, { size: 10, color: QUIET })
	return y
}

/** Returns the lines of a business below its contact's name, without empty details. */
export function businessLines(business: { name: string; address: string; gstin: string }): string[] {
	const { name, address, gstin } = business
	return [name, ...address.split('\n'), gstin && `GSTIN: ${gstin}`].filter(Boolean)
}
