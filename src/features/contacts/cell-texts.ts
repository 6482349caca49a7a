import { withoutFormulaMark } from '#lib/csv.ts'
import { isErrorWord } from '#lib/error-words.ts'
import { cleanName } from './rules.ts'

/**
 * Returns the text of a cell in one line without control characters and without the apostrophe that exports put before
 * formulas. Empty for spreadsheet errors and words such as NULL.
 */
export function textAt(cells: readonly string[], column: number | null | undefined): string {
	const cell = column === null || column === undefined ? '' : (cells[column] ?? '')
	return isErrorWord(cell) ? '' : cleanName(withoutFormulaMark(cell))
}
