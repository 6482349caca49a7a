import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import { MAX_NUMBER_TEXT } from '#lib/phone/phone-text.ts'
import { cutTo } from '#lib/text/characters.ts'
import { MAX_TAG_LENGTH, MAX_VALUE_LENGTH } from './custom-fields.ts'
import { MAX_NAME_LENGTH } from './rules.ts'

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

/** Response to an upload of rows. */
export const BulkResult = z.object({
	message: z.string(),
	/**
	 * Texts of `rejected` and `leftOut` in row order, each with its row's number, otherwise the row's first
	 * name.
	 */
	errors: z.array(z.string()),
	savedContacts: z.int(),
	/** Number of rows whose number is a contact already or repeats an earlier row. */
	existingContacts: z.int(),
	/** Number of existing contacts that changed. */
	updatedContacts: z.int(),
	/** Number of values that were left out, because they do not fit their field's type or have no field. */
	skippedValues: z.int(),
	/** Number of phone numbers that the rows opted out of marketing. */
	optedOutContacts: z.int(),
	/** Rejected rows, by their index in the call. */
	rejected: z.array(z.object({ index: z.int(), reason: z.string() })),
	/** Accepted rows from which tags or values were left out, by their index in the call. */
	leftOut: z.array(z.object({ index: z.int(), reason: z.string() })),
})
