import { indianClock, indianDay, INDIAN_UTC_OFFSET } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'

/** Hours of each day in Indian time, as 21:00 and 09:00, during which campaigns wait. They may end on the next day. */
export interface QuietHours {
	from: string
	until: string
}

/** The hours in which a campaign may send. */
export interface SendingHours {
	/** The time in India from which the campaign continues on each day after its first, as 10:00; null for any time. */
	dailyStart: string | null
	/** The campaign's first day in India, as 2026-11-26, to which the daily start does not apply. */
	firstDay: string
	quiet: QuietHours | null
}

/** Returns true for a time of the day, as 22:30, that lies in quiet hours. */
export function isQuiet(clock: string, { from, until }: QuietHours): boolean {
	return from < until ? clock >= from && clock < until : clock >= from || clock < until
}

/** Returns the time at which a campaign that is due at `at` begins: the end of the quiet hours, or `at`. */
export function afterQuietHours(at: number, quiet: QuietHours | null): number {
	if (!quiet || !isQuiet(indianClock(at), quiet)) return at
	const end = Date.parse(`${indianDay(at)}T${quiet.until}:00${INDIAN_UTC_OFFSET}`)
	return end > at ? end : end + DAY_MS
}

/**
 * Returns the first time from `at` on at which a campaign may send, which is within a day. A daily start within quiet hours
 * counts as their end: otherwise no time of the day would remain.
 */
export function allowedAt(hours: SendingHours, at: number): number {
	let allowed = at
	// The daily start, quiet hours after midnight, and the daily start of the next day.
	for (let step = 0; step < 3; step++) allowed = afterQuietHours(afterDailyStart(hours, allowed), hours.quiet)
	return allowed
}

function afterDailyStart({ dailyStart, firstDay, quiet }: SendingHours, at: number): number {
	const day = indianDay(at)
	if (!dailyStart || day === firstDay) return at
	const start = quiet && isQuiet(dailyStart, quiet) ? quiet.until : dailyStart
	return Math.max(at, Date.parse(`${day}T${start}:00${INDIAN_UTC_OFFSET}`))
}
