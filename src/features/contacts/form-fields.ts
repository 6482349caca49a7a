import * as z from 'zod/mini'
import { cutTo } from '#lib/characters.ts'
import { indianDay } from '#lib/dates.ts'
import { OptionalId, OptionalText, Required, Text, TrimmedText } from '#lib/fields.ts'
import { MAX_NUMBER_TEXT, mayBeNumber } from '#lib/phone-text.ts'
import { FieldValues, MAX_TAG_LENGTH, MAX_VALUE_LENGTH, Tags } from './custom-fields.ts'
import { MAX_NAME_LENGTH, NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from './rules.ts'

/** Maximum length of a phone number as typed, with spaces and signs. */
export const MAX_NUMBER_LENGTH = 40

const DAY_WRONG = 'Choose the day when they agreed: today, or one before'

/** Proof that people agreed to receive messages: place, wording and day. */
export const Consent = z.object({
	source: Required('Say where they agreed', 100),
	words: Required('Write down the words with which they agreed', 500),
	/** Indian day, such as 2026-11-21. */
	agreedOn: Text(10, { missing: DAY_WRONG, tooLong: DAY_WRONG }).check(
		z.iso.date({ error: DAY_WRONG, abort: true }),
		z.refine((day) => day >= '2000-01-01' && day <= indianDay(Date.now()), DAY_WRONG),
	),
})
export type Consent = z.output<typeof Consent>

const missing = NAME_AND_NUMBER_MISSING

/** A contact as typed in a form. `#lib/phone-reader.ts` parses the number. */
export const ContactBody = z.object({
	firstName: TrimmedText(MAX_NAME_LENGTH, { missing, tooLong: 'First name is too long' }).check(
		z.minLength(1, missing),
	),
	lastName: OptionalText(MAX_NAME_LENGTH),
	number: TrimmedText(MAX_NUMBER_LENGTH, { missing, tooLong: NUMBER_INVALID }).check(z.minLength(1, missing)),
	group: z.optional(z.nullable(OptionalId)),
	/** Left out keeps the stored consent; null deletes it. */
	consent: z.optional(z.nullable(Consent)),
	/** The contact's complete list of tags; left out keeps the stored tags. */
	tags: z.optional(Tags),
	/** Values to change; fields that are left out keep their values. */
	fields: z.optional(FieldValues),
})

/** `ContactBody` for forms, which reject texts that cannot be phone numbers before calling the server. */
export const TypedContact = z.extend(ContactBody, {
	number: ContactBody.shape.number.check(z.refine((typed) => typed === '' || mayBeNumber(typed), NUMBER_INVALID)),
})

/**
 * Returns the schema of a cell. Cuts a longer text to one character over the limit, so that a later check rejects the
 * text; turns values other than texts and numbers into an empty text.
 */
const cellOf = (maxLength: number) =>
	z.catch(z.pipe(z.union([Text(maxLength), z.number()]), z.transform(String)), ({ value }) => cutCell(maxLength, value))
const cutCell = (maxLength: number, value: unknown) =>
	typeof value === 'string' ? cutTo(value.trim(), maxLength + 1) : ''

/**
 * Number of cells of a row that are read: more than a row may use, so that the response can name the cells that are
 * left out.
 */
const MAX_CELLS = 200
const cellsOf = (maxLength: number) =>
	z.catch(z.array(cellOf(maxLength)).check(z.maxLength(MAX_CELLS)), ({ value }) =>
		Array.isArray(value) ? value.slice(0, MAX_CELLS).map((cell) => cutCell(maxLength, cell)) : [],
	)
const Cell = cellOf(MAX_NAME_LENGTH)

/**
 * Schema of a row of a file. Never fails: an unreadable row becomes an empty one, so that it does not reject the other
 * rows.
 */
export const BulkRow = z.catch(
	z.object({
		firstName: Cell,
		lastName: Cell,
		number: cellOf(MAX_NUMBER_TEXT),
		tags: z.optional(cellsOf(MAX_TAG_LENGTH)),
		/** Values in the order of the call's `fields`. */
		values: z.optional(cellsOf(MAX_VALUE_LENGTH)),
		/** `yes` opts the number out of marketing; every other value leaves the opt-out unchanged. */
		optedOut: z.optional(z.union([z.boolean(), Cell])),
	}),
	{ firstName: '', lastName: '', number: '' },
)
