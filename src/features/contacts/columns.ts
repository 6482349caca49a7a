import * as z from 'zod/mini'

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
	hasHeader: z.boolean(),
})
export type Columns = z.output<typeof Columns>
