/** Dates and times as people in India type them, and as forms show them again. */

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** Nobody means an earlier year, and PostgreSQL knows no year 0. */
const FIRST_YEAR = 1900

// A calendar day has no time zone.
const longDayFormat = new Intl.DateTimeFormat('en-IN', {
	timeZone: 'UTC',
	weekday: 'long',
	day: 'numeric',
	month: 'long',
	year: 'numeric',
})

/**
 * 21/11/2026, 21-11-26, 21.11.2026, 21 Nov 2026, 21112026 and 2026-11-21 are all 2026-11-21: the day comes before the
 * month. Null for what is no date.
 */
export function readDay(text: string): string | null {
	const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
	const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed)
	if (iso) return dayOf(iso[3], iso[2], iso[1])
	const digits = /^(\d{2})(\d{2})(\d{4})$/.exec(typed)
	if (digits) return dayOf(digits[1], digits[2], digits[3])
	const numbers = /^(\d{1,2}) ?[-/. ] ?(\d{1,2}) ?[-/. ] ?(\d{4}|\d{2})$/.exec(typed)
	if (numbers) return dayOf(numbers[1], numbers[2], numbers[3])
	const named = /^(\d{1,2})[-/. ]*([a-z]{3,9})[-/., ]*(\d{4}|\d{2})$/.exec(typed)
	return named ? dayOf(named[1], monthNumber(named[2]), named[3]) : null
}

/** 10:30, 10.30 am, 1030, 22:30 and 10:30 pm, as 10:30 or 22:30. Null if it is no time. */
export function readTime(text: string): string | null {
	const typed = text
		.trim()
		.toLowerCase()
		.replaceAll(/\s+/g, ' ')
		.replace(/(?<=[ap])\.?m\.?$/, 'm')
	const found = /^(\d{1,2})(?: ?[:. ] ?(\d{2})|(\d{2}))? ?([ap]m)?$/.exec(typed)
	if (!found) return null
	const [, hours, minutes = found[3], , half] = found
	// A number alone may be an hour of the morning or of the evening.
	if (minutes === undefined && half === undefined) return null
	const hour = Number(hours)
	const minute = Number(minutes ?? 0)
	if (minute > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return null
	const ofDay = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour
	return `${twoDigits(ofDay)}:${twoDigits(minute)}`
}

/** 2026-11-21 is 21/11/2026. */
export function writeDay(day: string): string {
	return day.split('-').toReversed().join('/')
}

/** 22:30 is 10:30 pm. Not by a format of the browser's: `readTime` reads it again, and browsers write it differently. */
export function writeTime(time: string): string {
	const [hour = 0, minute = 0] = time.split(':').map(Number)
	return `${hour % 12 || 12}:${twoDigits(minute)} ${hour < 12 ? 'am' : 'pm'}`
}

/** 2026-11-21 is Saturday, 21 November 2026. */
export function spellDay(day: string): string {
	return longDayFormat.format(new Date(`${day}T00:00:00Z`))
}

function monthNumber(name = ''): string {
	return String(MONTHS.findIndex((month) => month.startsWith(name)) + 1)
}

function dayOf(day = '', month = '', year = ''): string | null {
	const iso = `${year.length === 2 ? `20${year}` : year}-${twoDigits(Number(month))}-${twoDigits(Number(day))}`
	const at = new Date(`${iso}T00:00:00Z`)
	// The 31st of a shorter month would become a day of the next one.
	return Number.isNaN(at.getTime()) || at.getUTCFullYear() < FIRST_YEAR || at.toISOString().slice(0, 10) !== iso
		? null
		: iso
}

function twoDigits(value: number): string {
	return String(value).padStart(2, '0')
}
