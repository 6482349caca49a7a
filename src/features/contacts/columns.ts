import * as z from 'zod/mini'
import { plural } from '#lib/numbers.ts'

/** The fields for which a file needs or may have a column. */
export const FIELDS = ['firstName', 'lastName', 'number'] as const

const Place = z.nullable(z.int().check(z.gte(0), z.lte(999)))
/** The columns of a file, counted from 0; without a header its first row is a person, too. */
export const Columns = z.object({
	firstName: Place,
	lastName: Place,
	number: Place,
	/** Columns whose number is taken where the cell of `number` has none, in this order. */
	otherNumbers: z.optional(z.array(z.int().check(z.gte(0), z.lte(999))).check(z.maxLength(20))),
	/** The column with the calling codes of the numbers. */
	countryCode: z.optional(Place),
	/** Takes rows and columns that are hidden in a workbook, too. */
	withHidden: z.optional(z.boolean()),
	/** Sends to numbers that do not look like mobile numbers, too. Campaigns only: an upload sends the rows that were ticked. */
	withUnlikely: z.optional(z.boolean()),
	hasHeader: z.boolean(),
})
/** How many rows and columns with something in them a workbook hides, by hand or by a filter. */
export const Hidden = z.object({ rows: z.int(), columns: z.int() })
export type Hidden = z.output<typeof Hidden>
export type Columns = z.output<typeof Columns>

/** The response header with the numbers of hidden rows and columns: 3,1. */
export const HIDDEN_HEADER = 'x-hidden'

/** Reads `HIDDEN_HEADER`; nothing is hidden without it. */
export function readHidden(header: string | null): Hidden {
	const [rows = 0, columns = 0] = (header ?? '').split(',').map(Number)
	return { rows: rows || 0, columns: columns || 0 }
}

/** Says what a workbook hides, in words; null for nothing. */
export function hiddenWords({ rows, columns }: Hidden): string | null {
	const parts = [rows > 0 && plural(rows, 'row'), columns > 0 && plural(columns, 'column')].filter(Boolean)
	return parts.length === 0 ? null : `${parts.join(' and ')} hidden in the file`
}
