/** How a number format shows a number: as one, or as a date, a time of day or a duration. */
export interface NumberFormat {
	hasDate: boolean
	hasTime: boolean
	hasSeconds: boolean
	/** More than 24 hours, as in "[h]:mm". */
	isDuration: boolean
}

const MAX_CODE_LENGTH = 255
export const PLAIN_NUMBER: NumberFormat = { hasDate: false, hasTime: false, hasSeconds: false, isDuration: false }

/** Excel's built-in formats of dates and times, which a workbook names by their ids alone. */
const BUILT_IN = new Map<number, string>([
	...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(dateId),
	...[18, 20, 32].map((id): [number, string] => [id, 'h:mm']),
	...[19, 21, 33].map((id): [number, string] => [id, 'h:mm:ss']),
	[22, 'd h:mm'],
	[45, 'mm:ss'],
	[46, '[h]:mm:ss'],
	[47, 'mm:ss'],
])

function dateId(id: number): [number, string] {
	return [id, 'd']
}

/** `codes` are the workbook's own formats. */
export function numberFormatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
	const code = codes.get(id) ?? BUILT_IN.get(id) ?? ''
	return code.length > MAX_CODE_LENGTH ? PLAIN_NUMBER : readCode(code.toLowerCase())
}

function readCode(code: string): NumberFormat {
	const isDuration = /\[(h+|m+|s+)\]/.test(code)
	// What stands in quotes, after a backslash or in brackets is no part of a number; of several sections the first is for positive ones.
	const [letters = ''] = code.replace(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]?|am\/pm|a\/p/g, ' ').split(';')
	if (/general|standard|[0#?]/.test(letters.replace(/s[.,]0+/, 's'))) return PLAIN_NUMBER
	const hasSeconds = isDuration ? /s/.test(code) : letters.includes('s')
	const hasTime = isDuration || hasSeconds || letters.includes('h')
	// A month alone, or minutes where hours or seconds are beside them.
	const hasDate = !isDuration && (/[yde]/.test(letters) || (!hasTime && letters.includes('m')))
	return { hasDate, hasTime, hasSeconds, isDuration }
}

const DAY_SECONDS = 86_400
/** 9999-12-31 is the last. */
const MAX_DAYS = 2_958_466
/** Days from 1899-12-30 to 1970-01-01. */
const EPOCH = 25_569
const DAYS_TO_1904 = 1462

/** The text of a number in a cell: `2026-12-05`, `2026-12-05 17:45`, `10:30`, or its digits. */
export function numberText(typed: string, format: NumberFormat, is1904: boolean): string {
	const value = Number(typed)
	if (typed.trim() === '' || !Number.isFinite(value)) return typed.trim()
	const seconds = Math.round((value + (is1904 && format.hasDate ? DAYS_TO_1904 : 0)) * DAY_SECONDS)
	const isTime = (format.hasDate || format.hasTime) && seconds >= 0 && seconds < MAX_DAYS * DAY_SECONDS
	return isTime ? timeText(seconds, format) : digitsOf(value)
}

/** Excel keeps 15 digits of a number, and writes what is left of a calculation after them. */
const DIGITS = new Intl.NumberFormat('en-US', {
	useGrouping: false,
	maximumSignificantDigits: 15,
	maximumFractionDigits: 20,
	roundingPriority: 'lessPrecision',
	signDisplay: 'negative',
})

function digitsOf(value: number): string {
	return Number.isSafeInteger(value) ? String(value) : DIGITS.format(value)
}

function timeText(seconds: number, { hasDate, hasTime, hasSeconds, isDuration }: NumberFormat): string {
	const inDay = isDuration ? seconds : seconds % DAY_SECONDS
	const second = hasSeconds && inDay % 60 !== 0 ? `:${twoDigits(inDay % 60)}` : ''
	const time = `${twoDigits(Math.floor(inDay / 3600))}:${twoDigits(Math.floor(inDay / 60) % 60)}${second}`
	const days = Math.floor(seconds / DAY_SECONDS)
	// Day 0 is none: a time of day in a cell for dates.
	if (!hasDate || days === 0) return time
	const date = dateText(days)
	return hasTime && inDay > 0 ? `${date} ${time}` : date
}

/** Excel counts 29 February 1900 as day 60, which never was. */
function dateText(days: number): string {
	const at = days < 60 ? days + 1 : days
	return new Date((at - EPOCH) * DAY_SECONDS * 1000).toISOString().slice(0, 10)
}

function twoDigits(value: number): string {
	return String(value).padStart(2, '0')
}

/** Some programs write dates as ISO 8601 texts. */
export function isoText(text: string): string {
	const [, date, time = '00:00', seconds = '00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?)?/.exec(text) ?? []
	if (date === undefined) return text
	const shown = seconds === '00' ? time : `${time}:${seconds}`
	return shown === '00:00' ? date : `${date} ${shown}`
}

/** What XML cannot hold, Excel writes as `_x000D_`, and an underscore before such a text as `_x005F_`. */
export function unescaped(text: string): string {
	if (!text.includes('_x')) return text
	return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
