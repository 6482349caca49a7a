import * as z from 'zod/mini'
import { DAY_MS } from '#lib/durations.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Entries, Required, Text, TrimmedText, Id, Message, RowId } from '#lib/fields.ts'
import { countCharacters } from '#lib/text/characters.ts'
import { readAmount, readDay, readYesNo } from '#lib/typed-values.ts'
import { cleanName } from './rules.ts'

/** Types of custom fields. */
export const FIELD_TYPES = ['text', 'number', 'date', 'yesno'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const MAX_FIELDS = 30
/** Maximum tags of an account, and of one contact. */
export const MAX_TAGS = 1000
export const MAX_TAGS_OF_CONTACT = 50
export const MAX_TAG_LENGTH = 50
export const MAX_FIELD_NAME_LENGTH = 50
export const MAX_VALUE_LENGTH = 200

export const TagName = Required('Enter a tag', MAX_TAG_LENGTH)

/** Names of built-in columns of contacts, exports and uploads, by letters and digits only. */
const RESERVED = new Set(
	[
		'number phone mobile whatsapp contact cell telephone wa mob ph name fullname first last surname नाम उपनाम',
		'firstname givenname forename fname lastname familyname secondname lname contactname customername clientname',
		'displayname group groups tag tags label labels optedout optout addedon createdat',
		'consentsource consentwords consenton',
	].flatMap((names) => names.split(' ')),
)

/** Returns true when a name is that of a built-in column in any spelling: "First name", "MOBILE NO.", "optedOut". */
export function isReservedName(name: string): boolean {
	const plain = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
	const number = /^(phone|mobile|whatsapp|contact|cell|telephone|wa|mob|ph)(?:number|num|no)$/.exec(plain)
	return RESERVED.has(number?.[1] ?? plain)
}

/** Name of a custom field. Excludes braces and bars, because merge tags such as {{City|your city}} contain the name. */
export const FieldName = Required('Enter a name for the field', MAX_FIELD_NAME_LENGTH).check(
	z.refine((name) => !/[{}|]/.test(name), 'A name may hold no { } or |'),
	z.refine((name) => !isReservedName(name), 'Every contact has a field of this name already. Choose another name.'),
	// Values are stored in objects keyed by field name, and every object inherits these keys.
	z.refine((name) => !(name in {}), 'Choose another name'),
)

/** Values by field name; an empty text deletes the value. */
export const FieldValues = Entries(
	{ key: Text(MAX_FIELD_NAME_LENGTH), value: TrimmedText(MAX_VALUE_LENGTH) },
	MAX_FIELDS,
	`At most ${MAX_FIELDS} fields are allowed`,
)

export const Tags = z
	.array(TagName)
	.check(z.maxLength(MAX_TAGS_OF_CONTACT, `A contact may have ${MAX_TAGS_OF_CONTACT} tags`))

/**
 * Parses a typed value into its stored form, such as 123456.5, 2026-11-25 or yes. Returns null when the text does not
 * fit the type.
 */
export function readFieldValue(type: FieldType, typed: string): string | null {
	const text = typed.trim()
	if (countCharacters(text) > MAX_VALUE_LENGTH) return null
	if (type === 'text') return text
	if (type === 'yesno') return readYesNo(text)
	return type === 'date' ? readDay(text) : readAmount(text)
}

interface NamedType {
	name: string
	type: FieldType
}

/** Unreadable value of a field. */
export interface ValueFault {
	field: string
	message: string
}

/** Parses typed values by field name. Unreadable values are left out of `values` and listed in `faults`. */
export function readValues<Field extends NamedType>(
	fields: readonly Field[],
	typed: Readonly<Record<string, string>> = {},
): { values: [Field, string][]; faults: ValueFault[] } {
	const values: [Field, string][] = []
	const faults: ValueFault[] = []
	for (const [name, text] of Object.entries(typed)) {
		const field = fields.find((one) => isSameName(one.name, name.trim()))
		const value = field && readValue(field, text)
		if (!field) faults.push({ field: name, message: `There is no field "${name}"` })
		else if (value === null || value === undefined) faults.push({ field: field.name, message: UNREADABLE[field.type] })
		else values.push([field, value])
	}
	return { values, faults }
}

const UNREADABLE: Record<FieldType, string> = {
	text: 'The text is too long',
	number: 'Enter a number, such as 1250 or 99.50',
	date: 'Enter a date, such as 25/11/2026',
	yesno: 'Enter yes or no',
}

/** Parses one value. Returns '' for an empty text, and null when it does not fit the field's type. */
export function readValue(field: NamedType, text: string): string | null {
	const clean = cleanName(text)
	return clean === '' ? '' : readFieldValue(field.type, clean)
}

/** Normalizes tags to one line each, and drops empty and overlong ones. */
export function cleanTags(tags: readonly string[]): string[] {
	return tags.map(cleanName).filter((tag) => tag !== '' && countCharacters(tag) <= MAX_TAG_LENGTH)
}

/** Returns true for two spellings of the name of one field or tag. */
export function isSameName(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase()
}

/** Day 0 of dates that are stored as day numbers. */
export const FIRST_DAY = '2000-01-01'

/**
 * Converts a value of `readFieldValue` to its stored number: days since `FIRST_DAY` for a date, 1 or 0 for yes or no,
 * otherwise the number.
 */
export function numberOfValue(type: Exclude<FieldType, 'text'>, value: string): number {
	if (type === 'yesno') return value === 'yes' ? 1 : 0
	// `Date.parse` reads days without a time as UTC.
	return type === 'date' ? (Date.parse(value) - Date.parse(FIRST_DAY)) / DAY_MS : Number(value)
}

/** Names of columns whose digits are codes, such as PIN codes, and not quantities. */
const CODE_WORD = /(?:^|[^a-z])(?:pin|pincode|zip|code|id|no|number|phone|mobile|year)(?:$|[^a-z])/i

/** Units at the end of a value, as in 15% or 1250 Dr, which a number would lose. */
const UNIT = /(?:%|dr\.?)\s*$/i

/**
 * Returns the type that all values of a column fit. Returns text for an empty column, for values of several types and
 * for codes such as PIN codes.
 */
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

/** Maximum tags read from one cell. The server reports the tags above its limit of `MAX_TAGS_OF_CONTACT`. */
const MAX_TAGS_OF_CELL = 200

/** Splits a cell into at most `MAX_TAGS_OF_CELL` distinct tags: "VIP, Gold; New" has three. */
export function splitTags(cell: string): string[] {
	const names = cell.split(/[,;|]/).map((name) => name.trim())
	return [...new Set(names)].filter((name) => name !== '').slice(0, MAX_TAGS_OF_CELL)
}

export const TagRow = z.object({ _id: RowId, name: z.string() })
export type TagRow = z.output<typeof TagRow>

export const FieldRow = z.object({ _id: RowId, name: z.string(), type: z.enum(FIELD_TYPES) })
export type FieldRow = z.output<typeof FieldRow>

export const NewField = z.object({ name: FieldName, type: z.enum(FIELD_TYPES, 'Choose what the field holds') })
export const NamedField = z.object({ name: FieldName })
export const NamedTag = z.object({ name: TagName })

/** Maximum values that `customFields.values` returns. */
export const MAX_KNOWN_VALUES = 100
/** Number of the newest contacts with tags or values that `customFields.values` reads. */
export const SAMPLED_CONTACTS = 20_000

/** A value that contacts have, as stored, with the number of these contacts. */
export const KnownValue = z.object({ value: z.string(), contacts: z.int() })
export type KnownValue = z.output<typeof KnownValue>

const one = { access: 'manager', params: z.object({ id: Id }) } as const
const savedField = z.object({ message: z.string(), field: FieldRow })

/** Endpoints of custom fields; `list` also returns the tags. Adding an unknown tag to a contact creates the tag. */
export const customFields = {
	list: endpoint('GET /api/contact-fields', {
		access: 'agent',
		response: z.object({ fields: z.array(FieldRow), tags: z.array(TagRow) }),
	}),
	create: endpoint('POST /api/contact-fields', { access: 'manager', body: NewField, response: savedField }),
	/**
	 * Returns the commonest values of a field among the newest SAMPLED_CONTACTS contacts with tags or values, the commonest
	 * first. Spellings that differ in case are one value.
	 */
	values: endpoint('GET /api/contact-fields/{id}/values', {
		...one,
		effort: 'heavy',
		response: z.object({
			values: z.array(KnownValue),
			/** True when the account has more contacts with tags or values than were read. */
			isSample: z.boolean(),
		}),
	}),
	rename: endpoint('PUT /api/contact-fields/{id}', { ...one, body: NamedField, response: savedField }),
	/** Deletes a field and its values of all contacts. */
	remove: endpoint('DELETE /api/contact-fields/{id}', { ...one, effort: 'heavy', response: Message }),
}

export const contactTags = {
	rename: endpoint('PUT /api/contact-tags/{id}', {
		...one,
		body: NamedTag,
		response: z.object({ message: z.string(), tag: TagRow }),
	}),
	/** Deletes a tag and removes it from all contacts. */
	remove: endpoint('DELETE /api/contact-tags/{id}', { ...one, response: Message }),
}
