import { withAsciiDigits } from '#lib/native-digits.ts'
import { canonicalNumber } from '#lib/phone.ts'

/** As many contacts as one call may bring. */
export const MAX_ROWS = 5000
/** As many as the screen sends in one call: about a second on a slow line. */
export const CHUNK_ROWS = 2000
export const MAX_NAME_LENGTH = 100

export const NUMBER_INVALID = 'Invalid phone number format'
export const NAME_AND_NUMBER_MISSING = 'First name and number are required'
export const SHORTENED =
	'Excel has shortened this number and its last digits are lost: format the column as text and save the file again'

/** Takes back what a spreadsheet does to a number wherever only one number can have been meant. */
export function repairNumber(cell: string): string {
	if (/^\d+$/.test(cell)) return cell
	const plain = withAsciiDigits(cell.normalize('NFKC').replace(/[\p{Cf}\p{Cc}]/gu, ''))
		.trim()
		.replace(/^="(.*)"$/, '$1')
		.replace(/^'+/, '')
		.trim()
	const exact = /^(\d+)\.0+$/.exec(plain)?.[1]
	return exact ?? withoutExponent(plain) ?? plain
}

/** 9.1987654321E+11 is 919876543210; 9.19E+11 has lost digits. */
function withoutExponent(text: string): string | null {
	const [, whole = '', part = '', power = ''] = /^(\d)[.,]?(\d*)E\+?(\d{1,2})$/i.exec(text) ?? []
	if (!power) return null
	const exponent = Number(power)
	// Excel shows at most the digits it has: where fewer than a number needs are missing, they are zeros at its end.
	return part.length >= exponent - 1 && part.length <= exponent ? (whole + part).padEnd(exponent + 1, '0') : null
}

/** Why a cell is no number, or null when it may be one. The server also asks whether such a number can exist. */
export function numberError(cell: string): string | null {
	const number = repairNumber(cell)
	if (/^\d[.,]?\d*E\+?\d{1,2}$/i.test(number)) return SHORTENED
	return canonicalNumber(number) === null ? NUMBER_INVALID : null
}

/** One line of well-formed text without control characters, which neither the database nor WhatsApp takes. */
export function cleanName(text: string): string {
	const known = text.toWellFormed().normalize('NFC')
	return known
		.replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ')
		.replace(/ {2,}/g, ' ')
		.trim()
}
