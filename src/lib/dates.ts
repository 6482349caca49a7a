/** Time zone of all dates shown, independent of the browser's zone. */
export const INDIAN_TIME_ZONE = 'Asia/Kolkata'
export const INDIAN_UTC_OFFSET = '+05:30'

const zone = { timeZone: INDIAN_TIME_ZONE } as const

// Only single parts are read: engines join the parts of a locale differently (23 Nov 2026, 23-Nov-2026) and change it
// over time.
const dayFormat = new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium' })
const clockFormat = new Intl.DateTimeFormat('en-IN', { ...zone, timeStyle: 'short' })
const numberFormat = new Intl.DateTimeFormat('en-GB', {
	...zone,
	year: 'numeric',
	month: '2-digit',
	day: '2-digit',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
})
// Formats the day as UTC, since a calendar day has no time zone.
const calendarDayFormat = new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const longDayFormat = new Intl.DateTimeFormat('en-IN', {
	timeZone: 'UTC',
	weekday: 'long',
	day: 'numeric',
	month: 'long',
	year: 'numeric',
})
const monthFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a time as 21 Nov 2026, 10:15 am. */
export function formatDateTime(iso: string): string {
	return `${formatDay(iso)}, ${formatClock(Date.parse(iso))}`
}

/** Formats a time as 21 Nov 2026. */
export function formatDay(iso: string): string {
	const { day, month, year } = partsOf(dayFormat, Date.parse(iso))
	return `${Number(day)} ${month} ${year}`
}

/** Formats a time as 21/11/26 10:15:00, for the admin's transaction history. */
export function formatStamp(iso: string): string {
	const { year, month, day, hour, minute, second } = partsOf(numberFormat, Date.parse(iso))
	return `${day}/${month}/${year?.slice(-2)} ${hour}:${minute}:${second}`
}

/** Formats a time as 10:15 am. */
export function formatClock(at: number): string {
	return clockFormat.format(at)
}

/** Formats a clock time such as 09:00 as 9:00 am. */
export function spellClock(clock: string): string {
	return formatClock(Date.parse(`2026-01-01T${clock}${INDIAN_UTC_OFFSET}`))
}

/** Returns the day in India at a time, such as 2026-11-21. */
export function indianDay(now: number): string {
	const { year, month, day } = partsOf(numberFormat, now)
	return `${year}-${month}-${day}`
}

/** Returns the time of day in India at a time, such as 22:30. */
export function indianClock(at: number): string {
	const { hour, minute } = partsOf(numberFormat, at)
	return `${hour}:${minute}`
}

function partsOf(format: Intl.DateTimeFormat, at: number): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
	return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** Formats 2026-11-21 as 21 Nov. */
export function formatCalendarDay(day: string): string {
	return calendarDayFormat.format(new Date(`${day}T00:00:00Z`))
}

/**
 * Formats 2026-11-21 as Saturday, 21 November 2026. Returns an empty text for a five-digit year, which a date field
 * allows.
 */
export function spellDay(day: string): string {
	const at = Date.parse(`${day}T00:00:00Z`)
	return Number.isNaN(at) ? '' : longDayFormat.format(at)
}

/** Formats 2026-11 as November 2026. */
export function monthName(month: string): string {
	return monthFormat.format(new Date(`${month}-01T00:00:00Z`))
}

/** Adds months to a month such as 2026-11; `by` may be negative. */
export function addMonths(month: string, by: number): string {
	const first = new Date(`${month}-01T00:00:00Z`)
	first.setUTCMonth(first.getUTCMonth() + by)
	return first.toISOString().slice(0, 7)
}

/**
 * The beginning of 2100 in India, in milliseconds since 1970. A later year is a typing error, and years of five digits do not
 * fit the replies.
 */
export const LATEST_TIME = Date.UTC(2099, 11, 31, 18, 30)
