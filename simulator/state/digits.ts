import { randomBytes, randomInt } from 'node:crypto'

const TWO_DIGIT_COUNTRIES = new Set(
	(
		'20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 ' +
		'60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'
	).split(' '),
)

/** Returns a new object id in Meta's format: fifteen digits, as text. */
export function newObjectId(): string {
	return `1${randomInt(10_000_000, 99_999_999)}${randomInt(100_000, 999_999)}`
}

export function newToken(): string {
	return `EAAG${randomBytes(48).toString('base64url')}`
}

/** Returns the country code of a full number. */
export function countryCodeOf(digits: string): string {
	if (digits.startsWith('1') || digits.startsWith('7')) return digits.slice(0, 1)
	const two = digits.slice(0, 2)
	return TWO_DIGIT_COUNTRIES.has(two) ? two : digits.slice(0, 3)
}

export function digitsOf(number: string): string {
	return number.replace(/\D/g, '')
}

/**
 * Returns the WhatsApp id of a `to`; null for a text that is no number. As at Meta, a number without a plus that does
 * not start with the sender's country code gets that code prepended, even if the number is foreign.
 */
export function waIdOf(to: string, country: string): string | null {
	const digits = digitsOf(to)
	const full =
		to.trim().startsWith('+') || (digits.startsWith(country) && digits.length > 10) ? digits : country + digits
	return /^[1-9]\d{6,14}$/.test(full) ? rewritten(full) : null
}

/**
 * Returns the id under which WhatsApp knows a number: without the ninth digit (much of Brazil), or with a mobile prefix
 * (Mexico, Argentina).
 */
function rewritten(full: string): string {
	return full
		.replace(/^(55[3-9]\d)9(\d{8})$/, '$1$2')
		.replace(/^52(?!1)(\d{10})$/, '521$1')
		.replace(/^54(?!9)(\d{10})$/, '549$1')
}
