import * as z from 'zod/mini'
import { plural } from '#lib/numbers.ts'

/** Contact fields that can be read from columns of a file. */
export const FIELDS = ['firstName', 'lastName', 'number'] as const

const Place = z.nullable(z.int().check(z.gte(0), z.lte(999)))
/** Columns of a file, counted from 0. Without a header, the first row is read as a person. */
export const Columns = z.object({
	firstName: Place,
	lastName: Place,
	number: Place,
	/** Further number columns, tried in this order when the cell of `number` is empty. */
	otherNumbers: z.optional(z.array(z.int().check(z.gte(0), z.lte(999))).check(z.maxLength(20))),
	/** Column with the country calling codes of the numbers. */
	countryCode: z.optional(Place),
	/** Includes rows and columns that are hidden in a workbook. */
	withHidden: z.optional(z.boolean()),
	/**
	 * True also sends to numbers that do not look like mobile numbers. Used by campaigns only: an upload keeps this
	 * choice in its reader (`CsvReader.include`).
	 */
	withUnlikely: z.optional(z.boolean()),
	hasHeader: z.boolean(),
})
/** Counts of the non-empty rows and columns that a workbook hides, by hand or by a filter. */
export const Hidden = z.object({ rows: z.int(), columns: z.int() })
export type Hidden = z.output<typeof Hidden>
export type Columns = z.output<typeof Columns>

/** Response header with the counts of hidden rows and columns, such as `3,1`. */
export const HIDDEN_HEADER = 'x-hidden'

/** Parses the header `HIDDEN_HEADER`. Returns zeros when the header is missing. */
export function readHidden(header: string | null): Hidden {
	const [rows = 0, columns = 0] = (header ?? '').split(',').map(Number)
	return { rows: rows || 0, columns: columns || 0 }
}

/** Describes the hidden rows and columns in words; null when there are none. */
export function hiddenWords({ rows, columns }: Hidden): string | null {
	const parts = [rows > 0 && plural(rows, 'row'), columns > 0 && plural(columns, 'column')].filter(Boolean)
	return parts.length === 0 ? null : `${parts.join(' and ')} hidden in the file`
}

/** Returns the names of the columns for the screen: "City" with a header, "Column 3: Pune" without one. */
export function columnNames(header: readonly string[], { hasHeader }: Columns): string[] {
	return header.map((name, index) =>
		hasHeader && name ? name : `Column ${index + 1}${name ? `: ${name.slice(0, 40)}` : ''}`,
	)
}
