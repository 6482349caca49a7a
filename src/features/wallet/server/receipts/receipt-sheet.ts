import { BRAND, fillBox, HAIRLINE, INK, QUIET, tag, TINT } from '#lib/server/pdf/pdf-document.ts'
import { lineHeight, widthOf, wrapText, writeText, type TextStyle } from '#lib/server/pdf/pdf-text.ts'

/** Left edge and width of the text, in points. */
export const LEFT = 56
const WIDTH = 483
const LABEL_WIDTH = 130
export const TOP = 48
const BOTTOM = 800

const FIRST: TextStyle = { size: 10.5, color: INK }
const MORE: TextStyle = { size: 10, color: QUIET }

export const STRONG: TextStyle = { size: 11, bold: true, color: INK }
export const HEADING: TextStyle = { size: 9.5, color: QUIET }

/** Widths of the columns of an invoice's lines in points, and the space between them. */
const COLUMNS: readonly number[] = [273, 90, 120]
const GAP = 12

/** A page of labelled values, written downwards. */
export interface Sheet {
	write(name: string, text: string, style: TextStyle & { gap?: number }): void
	/** Writes a label on the left and its value on the right, with optional smaller lines below. */
	pair(label: string, texts: string[]): void
	/** Writes a box with an amount, in figures and in words. */
	amount(label: string, figures: string, words: string): void
	/** Writes the columns of one line of an invoice; the last column is a figure. */
	row(cells: readonly string[], style?: TextStyle): void
	line(): void
	down(points: number): void
}

/** Returns a sheet that writes downwards from `top`. */
export function createSheet(doc: PDFKit.PDFDocument, top: number): Sheet {
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
		amount(label, figures, words) {
			makeRoom(84)
			const start = y
			fillBox(doc, { x: LEFT, y: start, width: WIDTH, height: 84 }, TINT)
			tag(doc, 'P', () => {
				writeText(at(LEFT + 16, start + 12, WIDTH - 32), label, { size: 10, color: QUIET })
				const under = writeText(at(LEFT + 16, start + 25, WIDTH - 32), figures, { size: 20, bold: true, color: BRAND })
				writeText(at(LEFT + 16, under + 1, WIDTH - 32), words, { size: 9.5, color: INK })
			})
			y = start + 84
		},
		row(cells, style = FIRST) {
			const widths = COLUMNS.slice(COLUMNS.length - cells.length)
			widths[0] = COLUMNS.slice(0, COLUMNS.length - cells.length + 1).reduce((sum, width) => sum + width, 0)
			const lines = cells.map((cell, index) => wrapText({ doc, width: (widths[index] ?? 0) - GAP }, cell, style).length)
			makeRoom(Math.max(...lines) * lineHeight(style))
			let x = LEFT
			let bottom = y
			for (const [index, cell] of cells.entries()) {
				const width = widths[index] ?? 0
				const isFigure = index === cells.length - 1
				const left = isFigure ? x + width - widthOf(doc, cell, style) : x
				const place = { doc, x: left, y, width: isFigure ? width : width - GAP }
				tag(doc, 'P', () => (bottom = Math.max(bottom, writeText(place, cell, style))))
				x += width
			}
			y = bottom + 5
		},
		line: () => fillBox(doc, { x: LEFT, y, width: WIDTH, height: 0.8 }, HAIRLINE),
		down: (points) => void (y += points),
	}
}
