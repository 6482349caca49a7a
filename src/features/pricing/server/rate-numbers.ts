/** Highest plausible rate of one message, in millionths. IDR has the largest figures, of a few thousands. */
export const MAX_RATE_MICROS = 100_000 * 1_000_000
const MICROS_PER_UNIT = 1_000_000
const DECIMALS = 6

const SIGN = /^(?:[A-Z]{0,3}[$₹€£]) ?/i
const RATE = /^(-?)(\d{0,9})(?:\.(\d{0,6})0{0,20})?$/
const GROUPED = /^-?\d{1,3}(?:,\d{3}){1,2}\.\d/

/**
 * Reads a rate such as .8631, $0.0118 or 1,234.50 as millionths, without float arithmetic. Returns null for anything else, such
 * as 0,8631 or more than six decimals.
 */
export function readRateMicros(cell: string): number | null {
	const bare = cell.trim().replace(SIGN, '')
	const digits = GROUPED.test(bare) ? bare.replaceAll(',', '') : bare
	const [, minus, whole = '', decimals = ''] = RATE.exec(digits) ?? []
	if (whole + decimals === '') return null
	const micros = Number(whole) * MICROS_PER_UNIT + Number(decimals.padEnd(DECIMALS, '0'))
	return minus ? -micros : micros
}

/** Converts millionths to units of the currency: 863100 becomes 0.8631. For API values only. */
export function rateFromMicros(micros: number): number {
	const digits = String(micros).padStart(DECIMALS + 1, '0')
	return Number(`${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`)
}
