/** Maximum contacts of one call. */
export const MAX_ROWS = 5000
/** Contacts that the screen sends per call: about one second on a slow line. */
export const CHUNK_ROWS = 2000
export const MAX_NAME_LENGTH = 100

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
