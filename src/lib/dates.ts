/** All dates are shown in Indian time, whatever the browser's own zone is. */
export const INDIAN_TIME_ZONE = 'Asia/Kolkata'
export const INDIAN_UTC_OFFSET = '+05:30'

const zone = { timeZone: INDIAN_TIME_ZONE } as const

// Only parts are read: engines put the same locale together in different ways, 23 Nov 2026 or 23-Nov-2026, and change it.
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
// A calendar day has no time zone.
const calendarDayFormat = new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const longDayFormat = new Intl.DateTimeFormat('en-IN', {
	timeZone: 'UTC',
	weekday: 'long',
	day: 'numeric',
	month: 'long',
	year: 'numeric',
})
const monthFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 21 Nov 2026, 10:15 am */
export function formatDateTime(iso: string): string {
	return `${formatDay(iso)}, ${formatClock(Date.parse(iso))}`
}

/** 21 Nov 2026 */
export function formatDay(iso: string): string {
	const { day, month, year } = partsOf(dayFormat, Date.parse(iso))
	return `${Number(day)} ${month} ${year}`
}

/** 21/11/26 10:15:00, as the admin's transaction history shows it */
export function formatStamp(iso: string): string {
	const { year, month, day, hour, minute, second } = partsOf(numberFormat, Date.parse(iso))
	return `${day}/${month}/${year?.slice(-2)} ${hour}:${minute}:${second}`
}

/** 10:15 am */
export function formatClock(at: number): string {
	return clockFormat.format(at)
}

/** The day in India at this moment: 2026-11-21. */
export function indianDay(now: number): string {
	const { year, month, day } = partsOf(numberFormat, now)
	return `${year}-${month}-${day}`
}

/** The time in India at this moment: 22:30. */
export function indianClock(at: number): string {
	const { hour, minute } = partsOf(numberFormat, at)
	return `${hour}:${minute}`
}

function partsOf(format: Intl.DateTimeFormat, at: number): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
	return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** 2026-11-21 is 21 Nov. */
export function formatCalendarDay(day: string): string {
	return calendarDayFormat.format(new Date(`${day}T00:00:00Z`))
}

/** 2026-11-21 is Saturday, 21 November 2026. Empty for a year of five digits, which a date field takes. */
export function spellDay(day: string): string {
	const at = Date.parse(`${day}T00:00:00Z`)
	return Number.isNaN(at) ? '' : longDayFormat.format(at)
}

/** 2026-11 is November 2026. */
export function monthName(month: string): string {
	return monthFormat.format(new Date(`${month}-01T00:00:00Z`))
}

/** Adds months to one written as 2026-11; `by` may be negative. */
export function addMonths(month: string, by: number): string {
	const first = new Date(`${month}-01T00:00:00Z`)
	first.setUTCMonth(first.getUTCMonth() + by)
	return first.toISOString().slice(0, 7)
}
