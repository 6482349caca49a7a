import { format as shownAs, getFormatDateInfo, getFormatInfo, isValidFormat, tokenize } from 'numfmt'
import { readDay } from '#lib/typed-values.ts'

/** A cell's number format, as functions from value to shown text. */
export interface NumberFormat {
	/** Returns the shown text of a number; `is1904` is the workbook's date system. */
	number(value: number, is1904: boolean): string
	/** Returns the shown text of a text. */
	text(value: string): string
}

/** Limits numbers to Excel's 15 digits, which removes rounding errors of calculations. */
const DIGITS = new Intl.NumberFormat('en-US', {
	useGrouping: false,
	maximumSignificantDigits: 15,
	maximumFractionDigits: 20,
	roundingPriority: 'lessPrecision',
	signDisplay: 'negative',
})

/** Shows a number with all the digits that Excel stores. */
export const PLAIN_NUMBER: NumberFormat = {
	number: (value) => (Number.isSafeInteger(value) ? String(value) : DIGITS.format(value)),
	text: (value) => value,
}

/** Format for dates in the locale of the reader's computer, which the workbook does not contain: 2026-12-05. */
const SYSTEM_DATE = 'yyyy-mm-dd'
const SYSTEM_DATE_TIME = 'yyyy-mm-dd hh:mm'

/** Excel's built-in formats, which workbooks refer to by id only. */
const BUILT_IN = new Map<number, string>([
	[1, '0'],
	[2, '0.00'],
	[3, '#,##0'],
	[4, '#,##0.00'],
	[9, '0%'],
	[10, '0.00%'],
	[11, '0.00E+00'],
	[12, '# ?/?'],
	[13, '# ??/??'],
	...[14, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, SYSTEM_DATE] as const),
	[15, 'd-mmm-yy'],
	[16, 'd-mmm'],
	[17, 'mmm-yy'],
	[18, 'h:mm AM/PM'],
	[19, 'h:mm:ss AM/PM'],
	[20, 'h:mm'],
	[21, 'h:mm:ss'],
	[22, SYSTEM_DATE_TIME],
	[32, 'h:mm'],
	[33, 'h:mm:ss'],
	[37, '#,##0;(#,##0)'],
	[38, '#,##0;(#,##0)'],
	[39, '#,##0.00;(#,##0.00)'],
	[40, '#,##0.00;(#,##0.00)'],
	[41, '#,##0;(#,##0);"-"'],
	[42, '₹#,##0;(₹#,##0);₹"-"'],
	[43, '#,##0.00;(#,##0.00);"-"'],
	[44, '₹#,##0.00;(₹#,##0.00);₹"-"'],
	[45, 'mm:ss'],
	[46, '[h]:mm:ss'],
	[47, 'mm:ss.0'],
	[48, '##0.0E+0'],
])

const MAX_CODE_LENGTH = 255

/**
 * Returns the format with this id; `codes` are the workbook's own formats. Falls back to PLAIN_NUMBER for a code that
 * is missing, invalid or longer than MAX_CODE_LENGTH.
 */
export function numberFormatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
	const code = codes.get(id) ?? BUILT_IN.get(id) ?? ''
	if (code.trim() === '' || code.length > MAX_CODE_LENGTH || !isValidFormat(code)) return PLAIN_NUMBER
	const clean = shownCode(code)
	const { type, isDate } = getFormatInfo(clean)
	if (clean.toLowerCase() === 'general' || type === 'text' || type === 'error')
		return { number: PLAIN_NUMBER.number, text: textOf(clean) }
	return { number: isDate ? dateOf(clean) : numberOf(clean, type), text: textOf(clean) }
}

/** Returns the code without the padding that only aligns columns, as in accounting formats. */
function shownCode(code: string): string {
	return tokenize(systemCode(code))
		.filter(({ type }) => type !== 'skip' && type !== 'fill')
		.map(({ raw }) => raw)
		.join('')
}

/** Replaces a code for the locale's date or time by a fixed format. */
function systemCode(code: string): string {
	if (/^\[\$-(?:x-sysdate|F800)\]/i.test(code)) return SYSTEM_DATE
	return /^\[\$-(?:x-systime|F400)\]/i.test(code) ? 'hh:mm:ss' : code
}

/** Integers from here on are likely phone numbers or codes, whose digits an exponent would hide. */
const LONG_INTEGER = 10_000_000

function numberOf(code: string, type: string): NumberFormat['number'] {
	// The library supports `grouping`; its types lack it.
	const options: Parameters<typeof shownAs>[2] & { grouping: number[] } = { nbsp: false, grouping: groupingOf(code) }
	const mayShorten = type === 'scientific' || type === 'general'
	return (value) =>
		mayShorten && Number.isInteger(value) && Math.abs(value) >= LONG_INTEGER
			? PLAIN_NUMBER.number(value, false)
			: onOneLine(shownAs(code, value, options))
}

/** Language ids of India at the end of a format code's brackets, such as [$Rs-4009] and [$-439]. */
const INDIAN = /-[0-9a-f]{0,4}(?:4009|0?4(?:39|45|46|47|48|49|4a|4b|4c|4d|4e|4f|57))$/i

/** Returns Indian grouping (12,34,567) for a code that groups so or names India; otherwise 1,234,567. */
function groupingOf(code: string): [number, number] {
	const closed = code.split(']').slice(0, -1)
	const namesIndia = closed.some((part) => part.includes('[$') && INDIAN.test(part))
	return namesIndia || /#,##,##|₹|\brs\b/i.test(code) ? [3, 2] : [3, 3]
}

/** A date whose month and day cannot be confused, with its Excel serial number. */
const PROBE = { serial: 46_056, day: '2026-02-03' }
const DAYS_TO_1904 = 1462
/** Serial number of the day after 9999-12-31. */
const MAX_DAYS = 2_958_466

/**
 * Shows a date as the cell does. A date that Indian readers would misread, such as 12/05/2026 for the 5th of December,
 * becomes 2026-12-05; a time without a date stays unchanged.
 */
function dateOf(given: string): NumberFormat['number'] {
	const has = getFormatDateInfo(given)
	const hasDay = has.year && has.month && has.day
	const probe = shownAs(given, PROBE.serial)
	const isMisread = hasDay && ![PROBE.day, /\p{L}/u.test(probe) ? null : ''].includes(readDay(probe))
	const time = has.hours ? (has.seconds ? 'hh:mm:ss' : 'hh:mm') : ''
	const isSystem = isMisread || given === SYSTEM_DATE || given === SYSTEM_DATE_TIME
	const hasDate = has.year || has.day || (has.month && !has.hours && !has.seconds)
	return (value, is1904) => {
		const days = value + (is1904 && hasDate ? DAYS_TO_1904 : 0)
		if (days < 0 || days >= MAX_DAYS) return PLAIN_NUMBER.number(value, is1904)
		if (isSystem) return systemText(days, time)
		const text = onOneLine(shownAs(given, days))
		// A two-digit year before 1950 would be read as another century.
		const read = hasDay ? readDay(text) : null
		return read === null || read === shownAs(SYSTEM_DATE, days) ? text : systemText(days, time)
	}
}

/** Omits midnight from a whole day, and day 0 from a time of day. */
function systemText(days: number, time: string): string {
	const seconds = Math.round(days * 86_400)
	const [whole, hasTime] = [Math.floor(seconds / 86_400), seconds % 86_400 !== 0]
	const clock = time || (seconds % 60 === 0 ? 'hh:mm' : 'hh:mm:ss')
	if (whole === 0) return shownAs(clock, days)
	const text = shownAs(time && hasTime ? `${SYSTEM_DATE} ${time}` : SYSTEM_DATE, seconds / 86_400)
	return text.replace(/(\d\d:\d\d):00$/, '$1')
}

/** Shows texts unchanged, unless the code has a section for them, as in "Dr. "@. */
function textOf(code: string): NumberFormat['text'] {
	const hasSection =
		code !== '@' && (code.includes('@') || tokenize(code).filter(({ type }) => type === 'break').length === 3)
	return hasSection ? (value) => shownAs(code, value) : PLAIN_NUMBER.text
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim()
}

/** Returns the text of a number in a cell; a text that is no number is returned unchanged. */
export function numberText(typed: string, format: NumberFormat, is1904: boolean): string {
	const value = Number(typed)
	return typed.trim() === '' || !Number.isFinite(value) ? typed.trim() : format.number(value, is1904)
}

/** Shortens ISO 8601 dates, which some programs write as texts. */
export function isoText(text: string): string {
	const [, date, time = '00:00', seconds = '00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?)?/.exec(text) ?? []
	if (date === undefined) return text
	const shown = seconds === '00' ? time : `${time}:${seconds}`
	return shown === '00:00' ? date : `${date} ${shown}`
}

/**
 * Decodes Excel's escapes for characters that XML cannot contain: `_x000D_`, and `_x005F_` for the underscore of such a
 * text.
 */
export function unescaped(text: string): string {
	if (!text.includes('_x')) return text
	return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
