import * as z from 'zod/mini'
import { Entries, Required, Text, TrimmedText } from '#lib/fields.ts'

/** What an account adds to its contacts: tags, and fields of its own. */
export const FIELD_TYPES = ['text', 'number', 'date', 'yesno'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const MAX_FIELDS = 30
/** Of an account, and of one contact. */
export const MAX_TAGS = 1000
export const MAX_TAGS_OF_CONTACT = 50
export const MAX_TAG_LENGTH = 50
export const MAX_FIELD_NAME_LENGTH = 50
export const MAX_VALUE_LENGTH = 200

export const TagName = Required('Enter a tag', MAX_TAG_LENGTH)

const RESERVED = ['firstname', 'lastname', 'number']

/** Stands between braces in a message, as {{City|your city}}. */
export const FieldName = Required('Enter a name for the field', MAX_FIELD_NAME_LENGTH).check(
	z.refine((name) => !/[{}|]/.test(name), 'A name may hold no { } or |'),
	z.refine((name) => !RESERVED.includes(name.toLowerCase()), 'Every contact has a field of this name already'),
	// Values stand in objects, by the names of their fields, and each object has these.
	z.refine((name) => !(name in {}), 'Choose another name'),
)

/** By the names of the fields; an empty text takes the value away. */
export const FieldValues = Entries(
	{ key: Text(MAX_FIELD_NAME_LENGTH), value: TrimmedText(MAX_VALUE_LENGTH) },
	MAX_FIELDS,
	`At most ${MAX_FIELDS} fields are allowed`,
)

export const Tags = z
	.array(TagName)
	.check(z.maxLength(MAX_TAGS_OF_CONTACT, `A contact may have ${MAX_TAGS_OF_CONTACT} tags`))

/** As many digits as a double keeps. */
const NUMBER = /^-?(?:\d{1,12}(?:\.\d{1,3})?|\d{1,9}\.\d{4,6})$/
const CURRENCY = /^(?:₹|rs\.?|inr) ?/i
const YES = /^(?:yes|y|true|1|हाँ)$/i
const NO = /^(?:no|n|false|0|नहीं)$/i
const ISO_DAY = /^(\d{4})-(\d\d?)-(\d\d?)(?:[ T]\d\d:\d\d.{0,20})?$/
const INDIAN_DAY = /^(\d\d?)[/.-](\d\d?)[/.-](\d{4})$/
const SPELLED_DAY = /^(\d\d?)[ -]([A-Za-z]{3,9})[ ,-]{1,2}(\d{4})$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A typed value as it is kept: 123456.5, 2026-11-25, yes. Null when it is none of this type. */
export function readFieldValue(type: FieldType, typed: string): string | null {
	const text = typed.trim()
	if (text.length > MAX_VALUE_LENGTH) return null
	if (type === 'text') return text
	if (type === 'yesno') return YES.test(text) ? 'yes' : NO.test(text) ? 'no' : null
	if (type === 'date') return readDay(text)
	const plain = text.replace(CURRENCY, '').replaceAll(',', '')
	return NUMBER.test(plain) ? String(Number(plain)) : null
}

function readDay(text: string): string | null {
	const [, isoYear, isoMonth, isoDay] = ISO_DAY.exec(text) ?? []
	if (isoYear) return dayOf(isoYear, isoMonth, isoDay)
	const [, day, month, year] = INDIAN_DAY.exec(text) ?? []
	if (year) return dayOf(year, month, day)
	const [, spelledDay, name = '', spelledYear] = SPELLED_DAY.exec(text) ?? []
	const at = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
	return at < 0 ? null : dayOf(spelledYear, at + 1, spelledDay)
}

type Part = string | number | undefined

/** Null for the 30th of February, and outside of 1900 to 2100. */
function dayOf(year: Part, month: Part, day: Part): string | null {
	const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
	const isSame = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
	return isSame && Number(year) >= 1900 && Number(year) <= 2100 ? at.toISOString().slice(0, 10) : null
}

/** From which the days of dates are counted. */
export const FIRST_DAY = '2000-01-01'
const DAY_MS = 86_400_000

/** A value that `readFieldValue` gave, as a number to compare by: a day since the first, 1 for yes. */
export function numberOfValue(type: Exclude<FieldType, 'text'>, value: string): number {
	if (type === 'yesno') return value === 'yes' ? 1 : 0
	// Days without a time are read as UTC.
	return type === 'date' ? (Date.parse(value) - Date.parse(FIRST_DAY)) / DAY_MS : Number(value)
}

/** Digits that are no quantity: nobody adds up PIN codes. */
const CODE_WORD = /(?:^|[^a-z])(?:pin|pincode|zip|code|id|no|number|phone|mobile|year)(?:$|[^a-z])/i

/** What the values of a column seem to be; a text where they are of several kinds. */
export function likelyType(name: string, values: readonly string[]): FieldType {
	const filled = values.filter((value) => value.trim() !== '')
	if (filled.length === 0) return 'text'
	const are = (type: FieldType) => filled.every((value) => readFieldValue(type, value) !== null)
	const isCode = CODE_WORD.test(name) || filled.some((value) => /^0\d/.test(value.trim()))
	if (are('number')) return isCode ? 'text' : 'number'
	if (are('date')) return 'date'
	return are('yesno') ? 'yesno' : 'text'
}

/** "VIP, Gold; New" are three tags; one that is too long is none. */
export function splitTags(cell: string): string[] {
	const names = cell.split(/[,;|]/).map((name) => name.trim())
	return [...new Set(names)]
		.filter((name) => name !== '' && name.length <= MAX_TAG_LENGTH)
		.slice(0, MAX_TAGS_OF_CONTACT)
}
