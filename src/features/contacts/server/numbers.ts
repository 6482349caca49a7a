import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { canonicalNumber } from '#lib/phone.ts'
import { repairNumber } from '../rules.ts'

// Nine of ten numbers here are these, and each answer of the library takes a hundred times as long as this one.
const INDIAN_MOBILE = /^91[6-9]\d{9}$/

/**
 * The canonical form of a typed number, or null when it is no phone number or none that can exist: an unknown country
 * code, or a length its country does not have. Number ranges are not looked at, as countries open new ones faster than
 * the library is updated, and refusing a customer's real number is worse than a message that WhatsApp refuses.
 */
export function readNumber(typed: string): string | null {
	const number = canonicalNumber(repairNumber(typed))
	if (number === null || INDIAN_MOBILE.test(number)) return number
	return parsePhoneNumberFromString(`+${number}`)?.isPossible() ? number : null
}

/**
 * The digits to look for when somebody types a number, or a part of it, in whatever spelling: +91 98765-43210,
 * 098765 43210, 43210. Null when the text is no part of a number.
 */
export function readNumberPart(typed: string): string | null {
	const digits = repairNumber(typed).replace(/[\s+\-().]/g, '')
	if (!/^\d+$/.test(digits)) return null
	return digits.replace(/^0+/, '') || '0'
}
