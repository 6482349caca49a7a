import * as z from 'zod/mini'
import { indianDay } from '#lib/dates.ts'
import { OptionalId, OptionalText, Required, Text, TrimmedText } from '#lib/fields.ts'
import { MAX_NUMBER_TEXT, mayBeNumber } from '#lib/phone-text.ts'
import { FieldValues, MAX_TAG_LENGTH, MAX_VALUE_LENGTH, Tags } from './own-fields.ts'
import { MAX_NAME_LENGTH, NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from './rules.ts'

/** As typed, with spaces and signs. */
export const MAX_NUMBER_LENGTH = 40

const DAY_WRONG = 'Choose the day when they agreed: today, or one before'

/** That people agreed to be written to: where, with which words, and when. */
export const Consent = z.object({
	source: Required('Say where they agreed', 100),
	words: Required('Write down the words with which they agreed', 500),
	/** A day in India, such as 2026-11-21. */
	agreedOn: Text(10, { missing: DAY_WRONG, tooLong: DAY_WRONG }).check(
		z.iso.date({ error: DAY_WRONG, abort: true }),
		z.refine((day) => day >= '2000-01-01' && day <= indianDay(Date.now()), DAY_WRONG),
	),
})
export type Consent = z.output<typeof Consent>

const missing = NAME_AND_NUMBER_MISSING

/** A contact as typed. `#lib/phone-reader.ts` reads the number. */
export const ContactBody = z.object({
	firstName: TrimmedText(MAX_NAME_LENGTH, { missing, tooLong: 'First name is too long' }).check(
		z.minLength(1, missing),
	),
	lastName: OptionalText(MAX_NAME_LENGTH),
	number: TrimmedText(MAX_NUMBER_LENGTH, { missing, tooLong: NUMBER_INVALID }).check(z.minLength(1, missing)),
	group: z.optional(z.nullable(OptionalId)),
	/** Left out, it stays as it is; null takes it away. */
	consent: z.optional(z.nullable(Consent)),
	/** All that the contact shall have; left out, it keeps its own. */
	tags: z.optional(Tags),
	/** Those that are left out stay as they are. */
	fields: z.optional(FieldValues),
})

/** The body for forms, which refuse what cannot be a number before they ask the server. */
export const TypedContact = z.extend(ContactBody, {
	number: ContactBody.shape.number.check(z.refine((typed) => typed === '' || mayBeNumber(typed), NUMBER_INVALID)),
})

/** Shortens a longer text to what is refused as too long; what is neither text nor number is empty. */
const cellOf = (maxLength: number) =>
	z.catch(z.pipe(z.union([Text(maxLength), z.number()]), z.transform(String)), ({ value }) => cutTo(maxLength, value))
const cutTo = (maxLength: number, value: unknown) =>
	typeof value === 'string' ? value.trim().slice(0, maxLength + 1) : ''

/** More cells than a row may use, so that the answer can name those that are left out. */
const MAX_CELLS = 200
const cellsOf = (maxLength: number) =>
	z.catch(z.array(cellOf(maxLength)).check(z.maxLength(MAX_CELLS)), ({ value }) =>
		Array.isArray(value) ? value.slice(0, MAX_CELLS).map((cell) => cutTo(maxLength, cell)) : [],
	)
const Cell = cellOf(MAX_NAME_LENGTH)

/** Each row of a file is validated alone, so that an invalid one does not reject the others. */
export const BulkRow = z.catch(
	z.object({
		firstName: Cell,
		lastName: Cell,
		number: cellOf(MAX_NUMBER_TEXT),
		tags: z.optional(cellsOf(MAX_TAG_LENGTH)),
		/** In the order of the call's `fields`. */
		values: z.optional(cellsOf(MAX_VALUE_LENGTH)),
		/** Yes opts the number out of marketing; anything else leaves its opt-out as it is. */
		optedOut: z.optional(z.union([z.boolean(), Cell])),
	}),
	{ firstName: '', lastName: '', number: '' },
)
