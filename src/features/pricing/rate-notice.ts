/** Days before and after a change of quarter in which a missing rate card is shown. */
const NOTICE_DAYS = 14
const MICROS_PER_RUPEE = 1_000_000
const MICROS_PER_PAISA = 10_000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Returns the first day of a quarter within NOTICE_DAYS of a day, since WhatsApp changes its rates only on these days; null at
 * other times. Days are like 2027-01-01.
 */
export function rateChangeNear(day: string): string | null {
	const at = Date.parse(`${day}T00:00:00Z`)
	const soon = new Date(at + NOTICE_DAYS * DAY_MS)
	const quarter = Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() - (soon.getUTCMonth() % 3), 1)
	return at - quarter < NOTICE_DAYS * DAY_MS ? new Date(quarter).toISOString().slice(0, 10) : null
}

/** Returns true when a price in paise is below a rate in rupees, both before tax. Rates have up to six decimals. */
export function isBelowRate(pricePaise: number, rate: number): boolean {
	return pricePaise * MICROS_PER_PAISA < Math.round(rate * MICROS_PER_RUPEE)
}

/** GST on WhatsApp's rates, in percent. */
const GST_PERCENT = 18

/** Returns a rate in rupees with GST, rounded up to a paisa. */
export function costWithTax(rate: number): number {
	const micros = Math.round(rate * MICROS_PER_RUPEE)
	return Math.ceil((micros * (100 + GST_PERCENT)) / (100 * MICROS_PER_PAISA)) / 100
}
