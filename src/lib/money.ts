/** Money is integer paise in code and database, and a number of rupees with two decimals in the API. */

/** Largest recharge, ten crore rupees, in paise. Sums stay far below the largest safe integer. */
export const MAX_AMOUNT_PAISE = 10_000_000_000

/**
 * Reads rupees (12, 12.5, "12.50", ".5") as paise from their decimal digits, without float arithmetic. Returns null for
 * anything else, such as a third decimal other than 0, a sign, an exponent, a thousands separator, or more than twelve
 * digits before the decimal point.
 */
export function paiseFromRupees(rupees: number | string): number | null {
	const match = /^(\d{0,12})(?:\.(\d{0,2})0*)?$/.exec(String(rupees).trim())
	if (!match || (match[1] === '' && !match[2])) return null
	return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Returns true when the typed rupees exceed this amount in paise, for any number of digits. */
export function isAbove(rupees: number | string, paise: number): boolean {
	return Number(rupees) > rupeesFromPaise(paise)
}

/** Formats paise without float arithmetic: -1250 becomes "-12.50". */
export function decimal(paise: number): string {
	const digits = String(Math.abs(paise)).padStart(3, '0')
	return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Converts paise to rupees: 1250 becomes 12.5, the nearest float. For API values only. */
export function rupeesFromPaise(paise: number): number {
	return Number(decimal(paise))
}

const rupeeFormat = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 })

/** Formats rupees: 1234567.5 becomes ₹12,34,567.50. */
export function formatRupees(rupees: number): string {
	return rupeeFormat.format(rupees)
}

/** Adds India's GST of 18% on WhatsApp's charges to an amount. */
export function withGst(rupees: number): number {
	return rupees * 1.18
}
