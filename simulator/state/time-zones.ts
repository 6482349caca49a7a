/** Time zones by Meta's number of them. */
const ZONES: Record<string, string> = { '1': 'America/Los_Angeles', '71': 'Asia/Kolkata' }

const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** Time zones begin their days at a multiple of 15 minutes, so the day of a time is the day of its quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1_000
let last = { quarter: -1, timezoneId: '', day: '' }

export function isTimezoneId(id: string): boolean {
	return Object.hasOwn(ZONES, id)
}

/** Returns the day of a time in a time zone, as `2026-10-01`. */
export function dayIn(timezoneId: string, ms: number): string {
	const quarter = Math.floor(ms / QUARTER_MS)
	if (last.quarter !== quarter || last.timezoneId !== timezoneId)
		last = { quarter, timezoneId, day: formatOf(timezoneId).format(ms) }
	return last.day
}

/** Returns the time at which a day of `dayIn` begins, in seconds since 1970. */
export function startOfDay(timezoneId: string, day: string): number {
	// No time zone is further than 14 hours from UTC.
	let quarter = Date.parse(`${day}T00:00:00Z`) / QUARTER_MS - 14 * 4
	while (formatOf(timezoneId).format(quarter * QUARTER_MS) < day) quarter++
	return (quarter * QUARTER_MS) / 1_000
}

function formatOf(timezoneId: string): Intl.DateTimeFormat {
	const known = FORMATS.get(timezoneId)
	if (known) return known
	const timeZone = ZONES[timezoneId] ?? 'UTC'
	// The locale of Sweden formats dates as ISO 8601.
	const made = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
	FORMATS.set(timezoneId, made)
	return made
}
