import { BRAND, decorate, fillBox, HAIRLINE, INK, PAGE_WIDTH, QUIET, TINT } from '#lib/server/pdf/pdf-document.ts'
import { lineHeight, widthOf, wrapText, writeLine, type TextStyle } from '#lib/server/pdf/pdf-text.ts'

export interface PdfColumn {
	header: string
	/** Column width in points. */
	width: number
	/** True for amounts and counts: right-aligned, on one line, with a smaller font when the text is too wide. */
	isFigure?: boolean
}

export interface PdfRow {
	/** One text per column. */
	cells: string[]
	bold?: boolean
}

interface TableOptions {
	columns: PdfColumn[]
	/** Y of the first row, in points. */
	top: number
	/** Y at which rows end; the footer follows. */
	bottom: number
	/**
	 * Tags each row as one line of text instead of a table row, for tables of thousands of rows. A tag per cell would take
	 * more space in the file and in memory than the cell's text.
	 */
	isLong?: boolean
	/** Begins a page and returns the y of its first row. */
	onNewPage(): number
}

export interface PdfTable {
	row(row: PdfRow): void
	/** Ends the table and returns the y below its last row. */
	end(): number
}

const HEAD: TextStyle = { size: 8, bold: true, color: BRAND }
const CELL: TextStyle = { size: 8, color: INK }
const BOLD: TextStyle = { size: 8, bold: true, color: INK }
const GAP = 6
/** Option that pdfkit supports and its types lack. */
const COLUMN_HEADER = { scope: 'Column' } as PDFKit.Mixins.StructureElementOptions
const PADDING = 3

/**
 * Draws a table over as many pages as it needs, with the header repeated and no row split between pages. Each page has
 * its own tagged table, or a section of paragraphs if `isLong`, so that finished pages need not stay in memory.
 */
export function openTable(
	doc: PDFKit.PDFDocument,
	{ columns, top, bottom, isLong, onNewPage }: TableOptions,
): PdfTable {
	let y = top
	const lefts = columns.map((_, index) =>
		columns.slice(0, index).reduce((x, { width }) => x + width, doc.page.margins.left),
	)
	let table = openPart()

	function openPart(): PDFKit.PDFStructureElement {
		const part = doc.struct(isLong ? 'Sect' : 'Table')
		doc.addStructure(part)
		return part
	}

	function draw(cells: string[][], style: TextStyle, kind: 'TH' | 'TD'): void {
		const places = columns.map((column, index) => ({
			column,
			lines: cells[index] ?? [],
			left: lefts[index] ?? 0,
			top: y + PADDING,
		}))
		if (isLong) table.add(doc.struct('P', {}, () => places.forEach((cell) => drawCell(doc, cell, style))))
		else {
			const row = doc.struct('TR')
			table.add(row)
			const options = kind === 'TH' ? COLUMN_HEADER : {}
			for (const cell of places) row.add(doc.struct(kind, options, () => drawCell(doc, cell, style)))
			row.end()
		}
		y += heightOf(cells, style)
		fillBox(doc, { x: doc.page.margins.left, y, width: widthOfPage(doc), height: 0.5 }, HAIRLINE)
		y += 0.5
	}

	function wrap({ cells }: PdfRow, style: TextStyle): string[][] {
		return columns.map(({ width, isFigure }, index) => {
			const text = cells[index] ?? ''
			if (text === '') return []
			return isFigure && style !== HEAD ? [text] : wrapText({ doc, width: width - GAP }, text, style)
		})
	}

	function head(): void {
		const cells = wrap({ cells: columns.map(({ header }) => header) }, HEAD)
		const height = heightOf(cells, HEAD)
		fillBox(doc, { x: doc.page.margins.left, y, width: widthOfPage(doc), height }, TINT)
		draw(cells, HEAD, 'TH')
	}

	head()
	return {
		row(row) {
			const style = row.bold ? BOLD : CELL
			const cells = wrap(row, style)
			if (y + heightOf(cells, style) > bottom) {
				table.end()
				y = onNewPage()
				table = openPart()
				head()
			}
			draw(cells, style, 'TD')
		},
		end() {
			table.end()
			return y
		},
	}
}

const heightOf = (cells: string[][], style: TextStyle) =>
	Math.max(1, ...cells.map((lines) => lines.length)) * lineHeight(style) + 2 * PADDING

const widthOfPage = (doc: PDFKit.PDFDocument) => PAGE_WIDTH - doc.page.margins.left - doc.page.margins.right

interface Cell {
	column: PdfColumn
	lines: string[]
	left: number
	top: number
}

function drawCell(doc: PDFKit.PDFDocument, { column, lines, left, top }: Cell, style: TextStyle): void {
	const room = column.width - GAP
	for (const [index, line] of lines.entries()) {
		const y = top + index * lineHeight(style)
		if (!column.isFigure) writeLine({ doc, x: left, y }, line, style)
		else {
			const width = widthOf(doc, line, style)
			const share = Math.min(1, room / width)
			// Aligns smaller text to the baseline of the other cells.
			const down = style.size * (1 - share)
			const x = left + GAP + room - width * share
			writeLine({ doc, x, y: y + down }, line, { ...style, size: style.size * share })
		}
	}
}

/** Width of the page count in points, including the gap before it. */
const PAGE_COUNT_WIDTH = 110

/**
 * Writes "Page 2 of 5" at the bottom right and `label` at the bottom left of every page. `next` numbers a page and
 * returns its number; `end` fills in the total.
 */
export function numberPages(doc: PDFKit.PDFDocument, label: string): { next(): number; end(): void } {
	const style: TextStyle = { size: 8, color: QUIET }
	const total = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -4, 40, 10] })
	const { left, right } = doc.page.margins
	const room = PAGE_WIDTH - left - right - PAGE_COUNT_WIDTH
	const [first = '', ...more] = wrapText({ doc, width: room }, label, style)
	const shown = more.length > 0 ? `${first}…` : first
	let count = 0
	return {
		next() {
			count++
			const y = doc.page.height - 28
			const words = `Page ${count} of `
			const x = PAGE_WIDTH - right - 26
			decorate(doc, () => {
				writeLine({ doc, x: left, y }, shown, style)
				writeLine({ doc, x: x - widthOf(doc, words, style), y }, words, style)
				Object.assign(doc.page.xobjects as object, { Total: total })
				doc.save()
				// The form's y axis points up, with its origin at the baseline.
				doc.transform(1, 0, 0, -1, x, y + 1.069 * style.size)
				doc.addContent('/Total Do')
				doc.restore()
			})
			return count
		},
		end() {
			fillTotal(doc, total, { text: String(count), style })
		},
	}
}

/** Methods that pdfkit's font has and its types lack. */
interface EncodingFont {
	id: string
	ref(): unknown
	encode(text: string): [string[], unknown]
}

function fillTotal(
	doc: PDFKit.PDFDocument,
	total: PDFKit.PDFKitReference,
	{ text, style }: { text: string; style: TextStyle },
): void {
	doc.font('sans-latin-400')
	const font = (doc as unknown as { _font: EncodingFont })._font
	const [glyphs] = font.encode(text)
	const form = total as unknown as { data: Record<string, unknown>; end(content: string): void }
	form.data['Resources'] = { Font: { [font.id]: font.ref() } }
	const [red, green, blue] = [1, 3, 5].map((at) =>
		(Number.parseInt(style.color.slice(at, at + 2), 16) / 255).toFixed(3),
	)
	form.end(`BT ${red} ${green} ${blue} rg /${font.id} ${style.size} Tf <${glyphs.join('')}> Tj ET`)
}
