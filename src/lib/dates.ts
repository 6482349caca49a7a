/** All dates are shown in Indian time, whatever the browser's own zone is. */
const zone = { timeZone: 'Asia/Kolkata' } as const

const mediumFormat = new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium', timeStyle: 'short' })
const dayFormat = new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium' })
const stampFormat = new Intl.DateTimeFormat('en-GB', {
	...zone,
	day: '2-digit',
	month: '2-digit',
	year: '2-digit',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hour12: false,
})

/** 21 Nov 2026, 10:15 am */
export function formatDateTime(iso: string): string {
	return mediumFormat.format(new Date(iso))
}

/** 21 Nov 2026 */
export function formatDay(iso: string): string {
	return dayFormat.format(new Date(iso))
}

/** 21/11/26 10:15:00, as the admin's transaction history shows it */
export function formatStamp(iso: string): string {
	return stampFormat.format(new Date(iso)).replace(',', '')
}
