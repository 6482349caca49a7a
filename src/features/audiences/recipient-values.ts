import type { FieldType } from '#features/contacts/own-fields.ts'
import { formatDateTime, formatDay, INDIAN_UTC_OFFSET } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { readDay } from '#lib/typed-values.ts'

/** What one recipient has for the merge tags. */
export type Recipient = Readonly<Record<string, string | null | undefined>>

/** How the values of a column are written into the messages: as they stand in the file, or as India writes them. */
export const FORMATS = ['typed', 'grouped', 'rupees', 'day', 'slashes'] as const
export type Format = (typeof FORMATS)[number]

/** The formats that suit a column's values; a text has no other than its own. */
const SUITABLE = {
	number: ['typed', 'grouped', 'rupees'],
	date: ['day', 'slashes', 'typed'],
} as const satisfies Record<string, readonly Format[]>
export type ColumnKind = keyof typeof SUITABLE

export function formatsFor(kind: ColumnKind): readonly Format[] {
	return SUITABLE[kind]
}

/** Digits that are a quantity: a leading zero is a code's, and no more than a number holds exactly. */
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.(\d{1,10}))?$/
/** Dates of workbooks whose cells do not say how they are shown: 2026-11-25, 2026-11-25 17:45. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?$/
/** What a column is called that holds rupees. */
export const MONEY_WORD =
	/^(amount|due|dues|bill|total|balance|price|fee|fees|emi|rent|cost|payment|paid|payable|outstanding|salary|mrp|rs|inr|rupee|rupees|₹)$/

/** What all of these values are, of one column; null for texts, and without any value. */
export function kindOf(values: readonly string[]): ColumnKind | null {
	if (values.length === 0) return null
	if (values.every((value) => NUMBER.test(value))) return 'number'
	return values.every((value) => instantOf(value) !== null) ? 'date' : null
}

/** How a field of contacts is written: as chosen, where that suits it, else as India writes its kind. */
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

/** Returns the format of a workbook's column for which none is chosen: a PIN code or a year keeps its digits. */
export function usualFormat(kind: ColumnKind, name: string, values: readonly string[]): Format {
	if (kind === 'date') return values.every((value) => ISO_DATE.test(value)) ? 'day' : 'typed'
	if (wordsOf(name).some((word) => MONEY_WORD.test(word))) return 'rupees'
	return values.some((value) => value.includes('.')) ? 'grouped' : 'typed'
}

/** "dueDate" and "Due dates" are the words due and date. */
export function wordsOf(text: string): string[] {
	const words = text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.match(/₹|[\p{L}\p{M}\p{N}]+/gu)
	return words ?? []
}

/** A value as it arrives, for the preview and for what is stored. One that does not suit the format stays as it is. */
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

/** The moment in India: 2026-11-25T00:00+05:30. Null for what is no date. */
function instantOf(value: string): string | null {
	const [, iso, time = '00:00'] = ISO_DATE.exec(value) ?? []
	// A time in another format is left as it is typed.
	const day = iso ?? (value.includes(':') ? null : readDay(value))
	const at = `${day}T${time}${INDIAN_UTC_OFFSET}`
	return day === null || Number.isNaN(Date.parse(at)) ? null : at
}
