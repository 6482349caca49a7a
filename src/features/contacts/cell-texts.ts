import { withoutFormulaMark } from '#lib/csv.ts'
import { isErrorWord } from '#lib/error-words.ts'
import { cleanName } from './rules.ts'

/**
 * Returns a cell as one line that database and WhatsApp accept, without the apostrophe that exports put before formulas.
 * Spreadsheet errors and words such as NULL are empty.
 */
export function textAt(cells: readonly string[], column: number | null | undefined): string {
	const cell = column === null || column === undefined ? '' : (cells[column] ?? '')
	return isErrorWord(cell) ? '' : cleanName(withoutFormulaMark(cell))
}
