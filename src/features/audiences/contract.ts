import * as z from 'zod/mini'
import { Columns } from '#features/contacts/columns.ts'
import { ContactRow } from '#features/contacts/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Entries, Id, JsonText, Message, RowId, Text, Time } from '#lib/fields.ts'
import { WORKBOOK_ENDINGS } from '#lib/files/workbook-files.ts'
import { Rules, SegmentBody } from './rules.ts'
import { FORMATS } from './values.ts'

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

export const SegmentRow = z.object({ _id: RowId, name: z.string(), ...Rules, createdAt: Time })
export type SegmentRow = z.output<typeof SegmentRow>

const one = { access: 'user', params: z.object({ id: Id }) } as const
const saved = z.object({ message: z.string(), segment: SegmentRow })

/** Endpoints of segments: contacts chosen by rules, which are evaluated each time a campaign is created. */
export const segments = {
	list: endpoint('GET /api/segments', { access: 'user', response: z.object({ segments: z.array(SegmentRow) }) }),
	/** Returns the number of contacts that match the rules now. The rules need not be saved. */
	count: endpoint('POST /api/segments/count', {
		effort: 'heavy',
		access: 'user',
		body: z.object(Rules),
		response: z.object({ contacts: z.int() }),
	}),
	/** Returns the ten latest contacts of the segment. */
	latest: endpoint('GET /api/segments/{id}/latest', {
		...one,
		effort: 'heavy',
		response: z.object({ contacts: z.array(ContactRow) }),
	}),
	create: endpoint('POST /api/segments', { access: 'user', body: SegmentBody, response: saved }),
	update: endpoint('PUT /api/segments/{id}', { ...one, body: SegmentBody, response: saved }),
	/** Deletes a segment. Its contacts and campaigns remain. */
	remove: endpoint('DELETE /api/segments/{id}', { ...one, response: Message }),
}
