import { INDIAN_TIME_ZONE } from '#lib/dates.ts'

const timeFormat = new Intl.DateTimeFormat('en-IN', {
	timeZone: INDIAN_TIME_ZONE,
	hour: 'numeric',
	minute: '2-digit',
	hour12: true,
})

/** 10:15 am, in Indian time. */
export function formatTime(iso: string): string {
	return timeFormat.format(new Date(iso))
}
