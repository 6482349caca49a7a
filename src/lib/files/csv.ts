import { displayNumber } from '#lib/phone/phone.ts'

/** Byte order mark, without which Excel does not read a CSV file as UTF-8. */
export const CSV_START = '\uFEFF'

/** Text that the product wrote, such as an amount with decimals. Never a formula, and not escaped as one. */
interface Verbatim {
	verbatim: string
}

export type CsvCell = string | number | null | Verbatim

/** Returns one line of a CSV file for programs, without escaping formulas. */
export function csvLine(cells: readonly CsvCell[]): string {
	return `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`
}

/**
 * Returns one line of a CSV file for spreadsheets. A text that would run as a formula gets an apostrophe in front;
 * digits that a spreadsheet would change (0042, 4051234567890123) get a tab, which marks them as text.
 */
export function safeCsvLine(cells: readonly CsvCell[]): string {
	return csvLine(cells.map((cell) => (typeof cell === 'string' ? safeText(cell) : cell)))
}

function safeText(text: string): string {
	if (FORMULA_START.test(text)) return `'${text}`
	return CHANGED_DIGITS.test(text) ? `\t${text}` : text
}

// The last four are full-width forms, which Excel accepts in East Asian languages.
const FORMULA_START = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
/**
 * Digits that Excel changes: it drops leading zeros, shows 12 digits or more with an exponent, and loses the 16th and
 * later ones.
 */
const CHANGED_DIGITS = /^(?:0\d+|\d{12,}|\d+E\d+)$/i

/**
 * Formats a canonical number as a cell that spreadsheets do not change and an upload reads as the same number: (+91)
 * 98765 43210. Returns ids of people without a visible number unchanged.
 */
export function numberCell(number: string): string {
	if (!/^\d+$/.test(number)) return number
	const [code = '', ...groups] = displayNumber(number).split(' ')
	return groups.length > 0 ? `(${code}) ${groups.join(' ')}` : `(+${number.slice(0, 3)}) ${number.slice(3)}`
}

/** Removes the apostrophe that `safeCsvLine` put in front of a formula. */
export function withoutFormulaMark(cell: string): string {
	const text = cell.trimStart()
	return text.startsWith("'") && FORMULA_START.test(text.slice(1)) ? text.slice(1) : cell
}

function textOf(cell: CsvCell): string {
	return typeof cell === 'object' && cell !== null ? cell.verbatim : String(cell ?? '')
}

function quoted(text: string): string {
	return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
