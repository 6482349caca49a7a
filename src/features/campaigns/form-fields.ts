import * as z from 'zod/mini'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { JsonText } from '#lib/fields.ts'

export const AudienceType = z.enum(['all', 'group', 'file'])
export const Schedule = z.enum(['now', 'later'])

const FILE_MAX_BYTES = 50 * 1024 * 1024

export const AUDIENCE_FILE = {
	file: {
		maxBytes: FILE_MAX_BYTES,
		types: ['text/csv', 'application/csv'],
		// What browsers call these files depends on what is installed beside them.
		endings: ['.csv', '.xlsx'],
		refusal: 'Please upload a CSV or Excel file',
	},
}

export const Variables = z.record(z.string().check(z.maxLength(50)), z.string().check(z.maxLength(1024)))
/** JSON: { var1: "…", var2: "…" }; `header1` fills a variable of the header, `url1` that of a link button. */
export const VariablesText = z._default(JsonText(Variables, 'Variables must be JSON'), {})

const Place = z.nullable(z.int().check(z.gte(0), z.lte(999)))
/** Which columns of a file hold what, counted from 0; without a header its first row is a recipient, too. */
export const FileColumns = z.object({ number: Place, firstName: Place, lastName: Place, hasHeader: z.boolean() })
export type FileColumns = z.output<typeof FileColumns>
/** JSON; left out, they are found by their headers. */
export const FileColumnsText = z.optional(JsonText(FileColumns, 'Columns must be JSON'))

export const Timing = {
	schedule: z._default(Schedule, 'now'),
	/** 2026-11-21T18:30:00, in `timezone`. */
	scheduleDatetime: z.optional(z.string()),
	timezone: z._default(z.string(), INDIAN_TIME_ZONE),
}
