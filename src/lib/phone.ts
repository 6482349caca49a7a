import { groupNational, mobileLengths, splitNumber } from './phone-formats.ts'

/** The first check of a typed number, in browser and server. The server also asks libphonenumber whether it can exist. */
const TYPED_NUMBER = /^\+?[1-9]\d{1,14}$/

/** A typed number without what people write or paste between its digits: spaces, dashes of any kind, dots, brackets, invisible signs. */
export function bareNumber(typed: string): string {
	return typed.normalize('NFKC').replace(/[\s\p{Cf}\p{Pd}\u2212().]/gu, '')
}

/**
 * The canonical form, digits with country code and no plus ("919876543210"), or null when the text is no phone number.
 * Spaces, dashes, dots, brackets, a plus and leading zeros are understood; ten digits that start with 6-9 are Indian, unless
 * they follow 00 and are a mobile number of the country that they then name: 0065 8123 4567 is in Singapore. After a single
 * zero, which India dials before its own numbers, ten digits are Indian and others must be a whole number with its code.
 */
export function canonicalNumber(typed: string): string | null {
	const bare = bareNumber(typed)
	const plain = bare.replace(/^\+?0+/, '')
	if (!TYPED_NUMBER.test(plain)) return null
	const digits = plain.replace(/^\+/, '')
	const isDialled = /^0[1-9]/.test(bare)
	if (isDialled && digits.length === 10) return `91${digits}`
	if (isDialled) return isWholeNumber(digits) ? digits : null
	const isNational = /^[6-9]\d{9}$/.test(digits) && !plain.startsWith('+')
	return isNational && !(/^\+?00/.test(bare) && isWholeNumber(digits)) ? `91${digits}` : digits
}

/** Whether the digits begin with a calling code and are as long as its mobile numbers. */
export function isWholeNumber(digits: string): boolean {
	const parts = splitNumber(digits)
	return parts !== null && mobileLengths(parts.code).includes(parts.national.length)
}

/** What a number that was erased on request begins with; what follows is a hash of it. */
export const ERASED_PREFIX = 'erased:'

/** A canonical number as its own country writes it: +91 98765 43210, +1 415 555 2671, +44 7911 123456. */
export function displayNumber(number: string): string {
	if (number.startsWith(ERASED_PREFIX)) return 'Erased'
	const parts = splitNumber(number)
	return parts ? `+${parts.code} ${groupNational(parts.code, parts.national)}`.trimEnd() : `+${number}`
}

/** A business-scoped user id: what Meta names people by who hide their number. */
export function isUserId(key: string): boolean {
	return /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/.test(key)
}
