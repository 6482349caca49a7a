import { formatDay } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/durations.ts'

/** Returns "Just now", then minutes, hours (under 24), days (under 7), and after that the date. */
export function relativeTime(iso: string, now: number): string {
	const age = now - Date.parse(iso)
	if (age < MINUTE_MS) return 'Just now'
	if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}m ago`
	if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}h ago`
	if (age < 7 * DAY_MS) return `${Math.floor(age / DAY_MS)}d ago`
	return formatDay(iso)
}
