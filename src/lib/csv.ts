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
 * front, which spreadsheets take for "this is text"; numbers stay as they are.
 */
export function safeCsvLine(cells: readonly CsvCell[]): string {
	return csvLine(cells.map((cell) => (typeof cell === 'string' && FORMULA_START.test(cell) ? `'${cell}` : cell)))
}

// The last four are the wide forms, which Excel understands in East Asian languages.
const FORMULA_START = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

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
