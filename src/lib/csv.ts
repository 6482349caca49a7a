/** A file without this mark is taken by Excel for one in some older character set. */
export const CSV_START = '\uFEFF'

type Cells = readonly (string | number | null)[]

/** One line of a CSV file that only programs read, as it is. */
export function csvLine(cells: Cells): string {
	return `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`
}

/**
 * One line of a CSV file that people open in a spreadsheet. A text that would run as a formula gets an apostrophe in
 * front, which spreadsheets take for "this is text"; numbers stay as they are, also when they are written as text.
 */
export function safeCsvLine(cells: Cells): string {
	return csvLine(cells.map((cell) => (isFormula(cell) ? `'${cell}` : cell)))
}

// The last four are the wide forms, which Excel understands in East Asian languages.
const FORMULA_START = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/

function isFormula(cell: string | number | null): boolean {
	return typeof cell === 'string' && FORMULA_START.test(cell) && !PLAIN_NUMBER.test(cell)
}

function quoted(text: string): string {
	return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
