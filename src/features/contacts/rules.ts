import { withoutFormulaMark } from '#lib/files/csv.ts'
import { isErrorWord } from '#lib/text/error-words.ts'

/** Maximum contacts of one call. */
export const MAX_ROWS = 5000
/** Maximum body size in bytes: of one contact with all its values, and of an upload with many contacts. */
export const MAX_CONTACT_BYTES = 100_000
export const MAX_UPLOAD_BYTES = 16 * 1024 * 1024
/** Contacts that the screen sends per call: about one second on a slow line. */
export const CHUNK_ROWS = 2000
export const MAX_NAME_LENGTH = 100
/** Maximum length of a phone number as typed, with spaces and signs. */
export const MAX_NUMBER_LENGTH = 40

export const NUMBER_INVALID = 'Invalid phone number format'
export const NAME_AND_NUMBER_MISSING = 'First name and number are required'
export const SHORTENED =
	'Excel has shortened this number and its last digits are lost: format the column as text and save the file again'

/** Returns the text in one line, normalized and without control characters, which PostgreSQL and WhatsApp reject. */
export function cleanName(text: string): string {
	const known = text.toWellFormed().normalize('NFC')
	return known
		.replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ')
		.replace(/ {2,}/g, ' ')
		.trim()
}

/**
 * Returns the text of a cell in one line without control characters and without the apostrophe that exports put before
 * formulas. Empty for spreadsheet errors and words such as NULL.
 */
export function textAt(cells: readonly string[], column: number | null | undefined): string {
	const cell = column === null || column === undefined ? '' : (cells[column] ?? '')
	return isErrorWord(cell) ? '' : cleanName(withoutFormulaMark(cell))
}
