/** Money is integer paise in code and database, and a number of rupees with two decimals on the wire. */

/** The most that may be recharged at once: ten crore rupees. Sums stay far below the largest safe integer. */
export const MAX_AMOUNT_PAISE = 10_000_000_000

/**
 * Reads an amount of rupees (12, 12.5, "12.50", ".5") as paise without passing through float arithmetic:
 * the decimal digits themselves are read. Null for anything else, such as a third decimal that is not 0, a sign,
 * an exponent, a thousands separator, or more than twelve digits before the decimal point.
 */
export function paiseFromRupees(rupees: number | string): number | null {
	const match = /^(\d{0,12})(?:\.(\d{0,2})0*)?$/.exec(String(rupees).trim())
	if (!match || (match[1] === '' && !match[2])) return null
	return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** True if the typed text is a number of rupees above this amount, of any number of digits. */
export function isAbove(rupees: number | string, paise: number): boolean {
	return Number(rupees) > rupeesFromPaise(paise)
}

/** -1250 is "-12.50", without float arithmetic. */
export function decimal(paise: number): string {
	const digits = String(Math.abs(paise)).padStart(3, '0')
	return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** 1250 is 12.5: the nearest number to the exact decimal, for the wire only. */
export function rupeesFromPaise(paise: number): number {
	return Number(decimal(paise))
}

const rupeeFormat = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 })

/** 1234567.5 is ₹12,34,567.50. */
export function formatRupees(rupees: number): string {
	return rupeeFormat.format(rupees)
}
