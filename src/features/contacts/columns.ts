import * as z from 'zod/mini'

/** The fields for which a file needs or may have a column. */
export const FIELDS = ['firstName', 'lastName', 'number'] as const

const Place = z.nullable(z.int().check(z.gte(0), z.lte(999)))
/** Which columns of a file hold what, counted from 0; without a header its first row is a person, too. */
export const Columns = z.object({ firstName: Place, lastName: Place, number: Place, hasHeader: z.boolean() })
export type Columns = z.output<typeof Columns>
