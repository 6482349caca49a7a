import * as z from 'zod/mini'
import { Columns } from '#features/contacts/columns.ts'
import { Entries, JsonText, Text } from '#lib/fields.ts'
import { WORKBOOK_ENDINGS } from '#lib/files/workbook-files.ts'

const FILE_MAX_BYTES = 50 * 1024 * 1024

export const AUDIENCE_FILE = {
	file: {
		maxBytes: FILE_MAX_BYTES,
		types: ['text/csv', 'application/csv'],
		// Browsers report different MIME types for these files, depending on the installed programs, so the endings are
		// checked.
		endings: ['.csv', ...WORKBOOK_ENDINGS],
		refusal: 'Please upload a CSV or Excel file',
	},
}

/** Maximum variables of an order; a template text of 1,024 characters cannot have more. */
const MAX_VARIABLES = 250
export const Variables = Entries(
	{ key: Text(50), value: Text(1024) },
	MAX_VARIABLES,
	`At most ${MAX_VARIABLES} variables are allowed`,
)
/**
 * Variables as JSON, such as `{ "var1": "…", "var2": "…" }`; `header1` fills a variable of the header, `url1` that of a
 * link button.
 */
export const VariablesText = z._default(JsonText(Variables, 'Variables must be JSON', 500_000), {})

/** File columns as JSON; left out, the columns are found by their headers. */
export const FileColumnsText = z.optional(JsonText(Columns, 'Columns must be JSON', 1000))

/** Formats in which a column's values are written into messages: as typed, or in Indian notation. */
export const FORMATS = ['typed', 'grouped', 'rupees', 'day', 'slashes'] as const
export type Format = (typeof FORMATS)[number]

const MAX_COLUMNS = 1000
const Formats = Entries(
	{ key: Text(100), value: z.enum(FORMATS) },
	MAX_COLUMNS,
	`At most ${MAX_COLUMNS} columns are allowed`,
)
export type Formats = z.output<typeof Formats>
/**
 * Formats of a file's columns as JSON, such as `{ "Amount": "rupees" }`; columns that are left out are sent as typed.
 */
export const FormatsText = z.optional(JsonText(Formats, 'Formats must be JSON', 200_000))
