import { displayNumber } from './phone.ts'

/** The byte order mark, without which Excel does not read a CSV file as UTF-8. */
export const CSV_START = '\uFEFF'

/** Text made by the product itself, such as an amount with its decimals: it is never a formula, and is not escaped as one. */
interface Verbatim {
	verbatim: string
}

export type CsvCell = string | number | null | Verbatim

/** One line of a CSV file that only programs read: without protection against formulas. */
export function csvLine(cells: readonly CsvCell[]): string {
	return `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`
}

/**
 * One line of a CSV file that people open in a spreadsheet. A text that would run as a formula gets an apostrophe in
 * front, and digits that a spreadsheet would change (0042, 4051234567890123) a tab, which makes a text of them; numbers
 * stay as they are.
 */
export function safeCsvLine(cells: readonly CsvCell[]): string {
	return csvLine(cells.map((cell) => (typeof cell === 'string' ? safeText(cell) : cell)))
}

function safeText(text: string): string {
	if (FORMULA_START.test(text)) return `'${text}`
	return CHANGED_DIGITS.test(text) ? `\t${text}` : text
}

// The last four are the wide forms, which Excel understands in East Asian languages.
const FORMULA_START = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
/** Excel drops leading zeros, and shows 12 digits or more with an exponent; from the 16th on they are lost. */
const CHANGED_DIGITS = /^(?:0\d+|\d{12,}|\d+E\d+)$/i

/**
 * Returns a phone number, in the canonical form, as a cell that spreadsheets leave alone and an upload reads as the same
 * number: (+91) 98765 43210. Ids of people who hide their number are returned as they are.
 */
export function numberCell(number: string): string {
	if (!/^\d+$/.test(number)) return number
	const [code = '', ...groups] = displayNumber(number).split(' ')
	return groups.length > 0 ? `(${code}) ${groups.join(' ')}` : `(+${number.slice(0, 3)}) ${number.slice(3)}`
}

/** The text of a cell without the apostrophe that `safeCsvLine` put in front of what would run as a formula. */
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
