import { canonicalNumber } from '#lib/phone.ts'

const MISSING = 'Please enter a phone number'
const INVALID = 'Please valid phone number, for example 9876543210 or +91 9876543210'

/** A country code of up to three digits where there is one, and ten or twelve digits. */
const TYPED = /^\+?\d{0,3}(\d{10}|\d{12})$/

/** The number of a new chat, digits with the country code, or why what was typed is none. */
export function newChatNumber(typed: string): { number: string } | { error: string } {
	if (!typed.trim()) return { error: MISSING }
	const bare = typed.normalize('NFKC').replace(/[\s\-().]/g, '')
	if (!TYPED.test(bare)) return { error: INVALID }
	// A trunk zero is no country code, and no number of a country begins with one.
	const digits = (canonicalNumber(bare) ?? bare).replace(/\D/g, '')
	return { number: digits.length === 10 ? `91${digits}` : digits }
}
