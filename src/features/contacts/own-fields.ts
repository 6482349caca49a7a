import * as z from 'zod/mini'
import { countCharacters } from '#lib/characters.ts'
import { Entries, Required, Text, TrimmedText } from '#lib/fields.ts'
import { readAmount, readDay, readYesNo } from '#lib/typed-values.ts'

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

/** Built-in columns of contacts and of their export, and what uploads read as one of them; letters and digits alone. */
const RESERVED = new Set(
	[
		'number phone mobile whatsapp contact cell telephone wa mob ph name fullname first last surname नाम उपनाम',
		'firstname givenname forename fname lastname familyname secondname lname contactname customername clientname',
		'displayname group groups tag tags label labels optedout optout addedon createdat',
		'consentsource consentwords consenton',
	].flatMap((names) => names.split(' ')),
)

/** Tells whether a name is that of a built-in column, in whatever spelling: "First name", "MOBILE NO.", "optedOut". */
export function isReservedName(name: string): boolean {
	const plain = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
	const number = /^(phone|mobile|whatsapp|contact|cell|telephone|wa|mob|ph)(?:number|num|no)$/.exec(plain)
	return RESERVED.has(number?.[1] ?? plain)
}

/** Stands between braces in a message, as {{City|your city}}. */
export const FieldName = Required('Enter a name for the field', MAX_FIELD_NAME_LENGTH).check(
	z.refine((name) => !/[{}|]/.test(name), 'A name may hold no { } or |'),
	z.refine((name) => !isReservedName(name), 'Every contact has a field of this name already. Choose another name.'),
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

/** Returns a typed value as it is stored: 123456.5, 2026-11-25, yes. Null when it is none of this type. */
export function readFieldValue(type: FieldType, typed: string): string | null {
	const text = typed.trim()
	if (countCharacters(text) > MAX_VALUE_LENGTH) return null
	if (type === 'text') return text
	if (type === 'yesno') return readYesNo(text)
	return type === 'date' ? readDay(text) : readAmount(text)
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

/** Column names whose digits are codes, such as PIN codes, and not quantities. */
const CODE_WORD = /(?:^|[^a-z])(?:pin|pincode|zip|code|id|no|number|phone|mobile|year)(?:$|[^a-z])/i

/** Values that lose their meaning as plain numbers: 15%, 1250 Dr. */
const UNIT = /(?:%|dr\.?)\s*$/i

/** Returns the type of a column's values; text where they are of several kinds. */
export function likelyType(name: string, values: readonly string[]): FieldType {
	const filled = values.filter((value) => value.trim() !== '')
	if (filled.length === 0) return 'text'
	const are = (type: FieldType) => filled.every((value) => readFieldValue(type, value) !== null)
	const isCode =
		filled.some((value) => UNIT.test(value)) ||
		CODE_WORD.test(name) ||
		filled.some((value) => /^0\d/.test(value.trim()))
	if (are('number')) return isCode ? 'text' : 'number'
	if (are('date')) return 'date'
	return are('yesno') ? 'yesno' : 'text'
}

/** Tags of a cell that are read; the server names those that exceed its limits. */
const MAX_TAGS_OF_CELL = 200

/** Returns the tags of a cell, each once: "VIP, Gold; New" are three. */
export function splitTags(cell: string): string[] {
	const names = cell.split(/[,;|]/).map((name) => name.trim())
	return [...new Set(names)].filter((name) => name !== '').slice(0, MAX_TAGS_OF_CELL)
}
