import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { canonicalNumber } from '#lib/phone.ts'

/**
 * The canonical form of a typed number, or null when it is no phone number or none that can exist: an unknown country
 * code, or a length its country does not have. Number ranges are not looked at, as countries open new ones faster than
 * the library is updated, and refusing a customer's real number is worse than a message that WhatsApp refuses.
 */
export function readNumber(typed: string): string | null {
	const number = canonicalNumber(typed)
	return number !== null && parsePhoneNumberFromString(`+${number}`)?.isPossible() ? number : null
}

/**
 * The digits to look for when somebody types a number, or a part of it, in whatever spelling: +91 98765-43210,
 * 098765 43210, 43210. Null when the text is no part of a number.
 */
export function readNumberPart(typed: string): string | null {
	const digits = typed.normalize('NFKC').replace(/[\s+\-().]/g, '')
	if (!/^\d+$/.test(digits)) return null
	return digits.replace(/^0+(?=\d)/, '')
}
