import * as z from 'zod/mini'

/** The kind of a header that holds a file. */
export const FileKind = z.enum(['DOCUMENT', 'IMAGE', 'VIDEO'])
export type FileKind = z.output<typeof FileKind>

/** Maximum files of a set. */
export const MAX_FILES = 20_000
/** Maximum size of a zip in megabytes. */
export const MAX_ZIP_MEGABYTES = 300
/** Maximum size of all files of a zip together, in gigabytes. */
export const MAX_UNPACKED_GIGABYTES = 3
/** Characters of the longest address of a file. */
export const MAX_ADDRESS_LENGTH = 2000
/** Days for which a set is retained; longer while a campaign still has to send files. */
export const SET_DAYS = 30

const MOBILE_DIGITS = 10
const MAX_DIGITS = 15

/**
 * Returns the phone number in a file name, with its country code, as in `Report 98765 43210.pdf` without the space. Null
 * without a number, and for a name with several.
 */
export function numberInName(name: string): string | null {
	const numbers = new Set((name.match(/\d+/g) ?? []).flatMap((digits) => canonical(digits) ?? []))
	const [first] = numbers
	return numbers.size === 1 && first !== undefined ? first : null
}

/** A time in the names of scans and photographs, as 20261127143000, which no phone number looks like. */
const TIME = /^20\d{2}[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d$/

function canonical(digits: string): string | null {
	if (TIME.test(digits)) return null
	if (/^0?[6-9]\d{9}$/.test(digits)) return `91${digits.slice(-MOBILE_DIGITS)}`
	return digits.length > MOBILE_DIGITS && digits.length <= MAX_DIGITS && !digits.startsWith('0') ? digits : null
}
