import { randomBytes, randomInt } from 'node:crypto'

const TWO_DIGIT_COUNTRIES = new Set(
	(
		'20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 ' +
		'60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'
	).split(' '),
)

/** An object id as Meta gives them: fifteen digits, as text. */
export function newObjectId(): string {
	return `1${randomInt(10_000_000, 99_999_999)}${randomInt(100_000, 999_999)}`
}

export function newToken(): string {
	return `EAAG${randomBytes(48).toString('base64url')}`
}

/** Digits of the country code that a full number begins with. */
export function countryCodeOf(digits: string): string {
	if (digits.startsWith('1') || digits.startsWith('7')) return digits.slice(0, 1)
	const two = digits.slice(0, 2)
	return TWO_DIGIT_COUNTRIES.has(two) ? two : digits.slice(0, 3)
}

export function digitsOf(number: string): string {
	return number.replace(/\D/g, '')
}

/**
 * The WhatsApp id behind a `to`. Without a plus the network puts the sender's own country code before every number
 * that does not begin with it, which sends a foreign number astray: so does this.
 */
export function waIdOf(to: string, country: string): string | null {
	const digits = digitsOf(to)
	const full =
		to.trim().startsWith('+') || (digits.startsWith(country) && digits.length > 10) ? digits : country + digits
	return /^[1-9]\d{6,14}$/.test(full) ? full : null
}
