import { problem } from '#lib/problems.ts'
import { isoText, numberText, PLAIN_NUMBER, type NumberFormat } from './cell-text.ts'
import { MAX_COLUMNS, MAX_SHEET_ROWS, type Hidden } from './limits.ts'
import type { Element, Parts } from './parts.ts'
import { textCollector, type Workbook } from './workbook.ts'

interface Cell {
	column: number
	type: string
	format: NumberFormat
}

export interface Sheet {
	hidden: Hidden
	/** True when cells have content without text: an error, a picture, or a formula without its result. */
	hasOthers: boolean
}

/**
 * Reads a sheet's rows with content, each with its number from 1; `cells` ends with the last cell that is not empty.
 * Returns null when the part does not exist.
 */
export async function readSheet(
	parts: Parts,
	{ sheet, workbook, withHidden }: { sheet: string; workbook: Workbook; withHidden: boolean },
	onRow: (row: number, cells: string[]) => void,
): Promise<Sheet | null> {
	const inline = textCollector()
	let row = 0
	let cells: string[] = []
	let cell: Cell = { column: -1, type: 'n', format: PLAIN_NUMBER }
	let value = ''
	let isValue = false
	let isFormula = false
	let hasOthers = false
	let isHiddenRow = false
	let hiddenRows = 0
	const isHiddenColumn = hiddenColumns()
	const filledHidden = new Set<number>()
	const take = () => {
		const isFilled = cells.some((text) => text.trim() !== '')
		if (isFilled && isHiddenRow) hiddenRows++
		if (isFilled && (withHidden || !isHiddenRow)) onRow(row, cells)
		cells = []
		isHiddenRow = false
	}
	const isFound = await parts.read(sheet, {
		open(element) {
			inline.open(element)
			isValue = element.name === 'v'
			isFormula ||= element.name === 'f'
			if (element.name === 'row') {
				const next = rowOf(element, row)
				// Some programs write one row in several elements with the same number.
				if (next !== row) take()
				row = next
				isHiddenRow ||= isHidden(element)
				cell = { ...cell, column: -1 }
			} else if (element.name === 'col') isHiddenColumn.add(element)
			else if (element.name === 'c') {
				cell = cellOf(element, cell.column + 1, workbook.formats)
				value = ''
				isFormula = false
				inline.take()
			}
		},
		text(text) {
			if (isValue) value += text
			else inline.text(text)
		},
		close(name) {
			isValue = false
			inline.close(name)
			if (name === 'c') {
				const text =
					cell.type === 'inlineStr' ? shownText(inline.take() || value, cell.format) : textOf(cell, value, workbook)
				const isOut = text !== '' && isHiddenColumn.has(cell.column)
				if (isOut && text.trim() !== '') filledHidden.add(cell.column)
				if (text !== '' && (withHidden || !isOut)) place(cells, cell.column, text)
				else if (text !== '') return
				else hasOthers ||= isFormula || value.trim() !== ''
			}
			return name === 'sheetData'
		},
	})
	take()
	return isFound ? { hasOthers, hidden: { rows: hiddenRows, columns: filledHidden.size } } : null
}

/** Returns true when a row or column is hidden, or has no height or width. */
function isHidden({ attributes: { hidden = '', ht, width } }: Element): boolean {
	return /^(?:1|true)$/.test(hidden) || Number(ht ?? width ?? 1) === 0
}

/** Collects up to MAX_COLUMNS ranges of hidden columns, which precede the rows in the file. */
function hiddenColumns() {
	const ranges: [from: number, to: number][] = []
	return {
		add(element: Element): void {
			const { min, max } = element.attributes
			if (isHidden(element) && ranges.length < MAX_COLUMNS) ranges.push([Number(min) - 1, Number(max) - 1])
		},
		has: (column: number) => ranges.some(([from, to]) => column >= from && column <= to),
	}
}

function rowOf({ attributes: { r } }: Element, last: number): number {
	const row = Number(r || last + 1)
	if (!Number.isInteger(row) || row < Math.max(1, last) || row > MAX_SHEET_ROWS) throw problem('workbook_unreadable')
	return row
}

function cellOf(
	{ attributes: { r, t = 'n', s = '0' } }: Element,
	next: number,
	formats: readonly NumberFormat[],
): Cell {
	return { column: columnOf(r, next), type: t, format: formats[Number(s)] ?? PLAIN_NUMBER }
}

/**
 * Returns a column's index: A is 0, AA is 26. A cell without a column takes `next`. Throws a 400 for an invalid
 * reference.
 */
function columnOf(ref: string | undefined, next: number): number {
	const letters = ref === undefined ? '' : /^\$?([A-Z]{0,3})\$?\d{0,7}$/.exec(ref.slice(0, 13).toUpperCase())?.[1]
	if (letters === undefined) throw problem('workbook_unreadable')
	let column = 0
	for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
	return letters === '' ? next : column - 1
}

function place(cells: string[], column: number, text: string): void {
	if (column >= MAX_COLUMNS) throw problem('workbook_too_wide', { most: MAX_COLUMNS })
	while (cells.length < column) cells.push('')
	cells[column] = text
}

/** Returns the cell's shown text; empty for an error such as #N/A. */
function textOf({ type, format }: Cell, value: string, { texts, is1904 }: Workbook): string {
	if (type === 's') return /^\s*\d{1,8}\s*$/.test(value) ? shownText(texts[Number(value)] ?? '', format) : ''
	if (type === 'str') return shownText(value, format)
	if (type === 'd') return isoText(value)
	if (type === 'b') return value.trim() === '' ? '' : /^\s*(1|true)\s*$/.test(value) ? 'TRUE' : 'FALSE'
	if (type === 'e') return ''
	return numberText(value, format, is1904)
}

function shownText(text: string, format: NumberFormat): string {
	return text === '' ? '' : format.text(text)
}
