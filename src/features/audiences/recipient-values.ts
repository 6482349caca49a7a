import type { FieldType } from '#features/contacts/custom-fields.ts'
import { formatDateTime, formatDay, INDIAN_UTC_OFFSET } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { readDay } from '#lib/typed-values.ts'

/** Values of one recipient by merge tag. */
export type Recipient = Readonly<Record<string, string | null | undefined>>

/** Formats in which a column's values are written into messages: as typed, or in Indian notation. */
export const FORMATS = ['typed', 'grouped', 'rupees', 'day', 'slashes'] as const
export type Format = (typeof FORMATS)[number]

/** Formats for each kind of value. Texts are always written as typed. */
const SUITABLE = {
	number: ['typed', 'grouped', 'rupees'],
	date: ['day', 'slashes', 'typed'],
} as const satisfies Record<string, readonly Format[]>
export type ColumnKind = keyof typeof SUITABLE

export function formatsFor(kind: ColumnKind): readonly Format[] {
	return SUITABLE[kind]
}

/**
 * Numbers that are quantities. Excludes leading zeros, which mark codes, and more digits than a JavaScript number holds
 * exactly.
 */
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.(\d{1,10}))?$/
/** Dates of workbook cells without a date format: 2026-11-25, 2026-11-25 17:45. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?$/
/** Words that mark a column of amounts in rupees when its name contains one of them. */
export const MONEY_WORD =
	/^(amount|due|dues|bill|total|balance|price|fee|fees|emi|rent|cost|payment|paid|payable|outstanding|salary|mrp|rs|inr|rupee|rupees|₹)$/

/** Returns the kind that all values of a column have; null for texts and for an empty column. */
export function kindOf(values: readonly string[]): ColumnKind | null {
	if (values.length === 0) return null
	if (values.every((value) => NUMBER.test(value))) return 'number'
	return values.every((value) => instantOf(value) !== null) ? 'date' : null
}

/**
 * Returns the format of a custom field: the chosen one when it suits the field's type, else the default of the type.
 */
export function formatOfField(
	{ name, type }: { name: string; type: FieldType },
	chosen: Readonly<Record<string, Format>>,
): Format {
	const kind = kindOfField(type)
	if (kind === null) return 'typed'
	const format = Object.hasOwn(chosen, name) ? chosen[name] : undefined
	if (format !== undefined && formatsFor(kind).includes(format)) return format
	if (kind === 'date') return 'day'
	return wordsOf(name).some((word) => MONEY_WORD.test(word)) ? 'rupees' : 'grouped'
}

export function kindOfField(type: FieldType): ColumnKind | null {
	return type === 'number' || type === 'date' ? type : null
}

/** Returns the default format of a workbook's column. PIN codes and years keep their digits. */
export function usualFormat(kind: ColumnKind, name: string, values: readonly string[]): Format {
	if (kind === 'date') return values.every((value) => ISO_DATE.test(value)) ? 'day' : 'typed'
	if (wordsOf(name).some((word) => MONEY_WORD.test(word))) return 'rupees'
	return values.some((value) => value.includes('.')) ? 'grouped' : 'typed'
}

/** Splits a name into lower-case words: "dueDate" and "Due dates" start with the word "due". */
export function wordsOf(text: string): string[] {
	const words = text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.match(/₹|[\p{L}\p{M}\p{N}]+/gu)
	return words ?? []
}

/**
 * Formats a value for the preview and the stored message. A value that does not suit the format is returned unchanged.
 */
export function formatValue(value: string, format: Format): string {
	if (format === 'grouped' || format === 'rupees') return numberText(value, format)
	const at = format === 'typed' ? null : instantOf(value)
	if (at === null) return value
	const isTimed = value.includes(':')
	if (format === 'day') return isTimed ? formatDateTime(at) : formatDay(at)
	const [day = '', time = ''] = at.split(/[T+]/)
	return `${day.split('-').toReversed().join('/')}${isTimed ? ` ${time}` : ''}`
}

function numberText(value: string, format: 'grouped' | 'rupees'): string {
	const match = NUMBER.exec(value)
	if (!match) return value
	if (format === 'rupees') return formatRupees(Number(value))
	const digits = match[1]?.length ?? 0
	return Number(value).toLocaleString('en-IN', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Returns the instant in Indian time, such as 2026-11-25T00:00+05:30; null when the value is not a date. */
function instantOf(value: string): string | null {
	const [, iso, time = '00:00'] = ISO_DATE.exec(value) ?? []
	// A date with a time in another format is left as typed.
	const day = iso ?? (value.includes(':') ? null : readDay(value))
	const at = `${day}T${time}${INDIAN_UTC_OFFSET}`
	return day === null || Number.isNaN(Date.parse(at)) ? null : at
}
