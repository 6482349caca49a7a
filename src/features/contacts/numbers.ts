import { isPossibleNumber } from '#lib/phone-plan.ts'
import { bareNumber, canonicalNumber } from '#lib/phone.ts'
import { repairNumber } from './rules.ts'

/** The canonical form of a typed number, or null when it is no phone number or none that can exist. */
export function readNumber(typed: string): string | null {
	const number = canonicalNumber(repairNumber(typed))
	return number !== null && isPossibleNumber(number) ? number : null
}

/**
 * The digits to look for when somebody types a number, or a part of it, in whatever spelling: +91 98765-43210,
 * 098765 43210, 43210. Null when the text is no part of a number.
 */
export function readNumberPart(typed: string): string | null {
	const digits = bareNumber(repairNumber(typed)).replaceAll('+', '')
	if (!/^\d+$/.test(digits)) return null
	return digits.replace(/^0+/, '') || '0'
}
