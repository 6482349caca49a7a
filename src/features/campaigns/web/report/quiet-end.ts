import { formatClock, INDIAN_UTC_OFFSET } from '#lib/dates.ts'

/** Returns a clock time in words: 09:00 is 9:00 am. */
export function quietEnd(clock: string): string {
	return formatClock(Date.parse(`2026-01-01T${clock}${INDIAN_UTC_OFFSET}`))
}
