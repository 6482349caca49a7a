import { formatCount } from './numbers.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Returns "less than a minute", "about 12 min", "about 3 h 5 min" or "about 2 days". */
export function durationText(seconds: number): string {
	if (seconds < 60) return 'less than a minute'
	const minutes = Math.round(seconds / 60)
	if (minutes < 60) return `about ${minutes} min`
	if (minutes < 48 * 60) {
		const rest = minutes % 60
		return `about ${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`
	}
	return `about ${Math.round(minutes / (24 * 60))} days`
}

/** Returns "24 a second" or "30 a minute"; at least one a minute. */
export function paceText(perSecond: number): string {
	return perSecond >= 1
		? `${formatCount(Math.round(perSecond))} a second`
		: `${Math.max(1, Math.round(perSecond * 60))} a minute`
}
