import { DAY_MS } from '#lib/durations.ts'
/** Days before and after a change of quarter in which a missing rate card is shown. */
const NOTICE_DAYS = 14

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
