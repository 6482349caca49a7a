import type { Formats } from '#features/audiences/audience-fields.ts'
import { formatValue } from '#features/audiences/recipient-values.ts'
import { textAt } from '#features/contacts/cell-texts.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { openPeople, type PersonRow } from '#features/contacts/people-file.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { doubtIn } from '#lib/phone-plan.ts'
import { AppError } from '#lib/server/errors.ts'
import { openTable } from '#lib/server/files/table-file.ts'
import type { UploadedFile } from '#lib/server/http/uploads.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import type { Recipient } from './audience-queries.ts'

/**
 * Row of a file with its recipient; null for a row that gets no message. `doubt` says why its number does not look like
 * a mobile number: such a row has a recipient only with `columns.withUnlikely`.
 */
export type FileRow = PersonRow & { recipient: Recipient | null; doubt: string | null }

/** Audience file whose columns are known. */
export interface AudienceFile {
	/** Names of the columns; without a header, the cells of the first row. */
	header: string[]
	columns: Columns
	/** Number of rows and columns that are hidden in a workbook. */
	hidden: { rows: number; columns: number }
	/** Merge tags that the file has values for. */
	tags: string[]
	/** Index of each tag's column, from 0. */
	places: ReadonlyMap<string, number>
	/** True for a workbook, which stores numbers and dates without their formats. */
	isWorkbook: boolean
	/** Yields rows in batches, without empty ones. Recipients have the values of `tags`, in this order. */
	rows(tags: readonly string[]): AsyncGenerator<FileRow[]>
}

const MAX_NAME_LENGTH = 200

/**
 * Opens an uploaded file and finds its columns unless `chosen` names them. `rows` reads lazily and writes values in
 * `formats`, by tag.
 */
export async function openAudienceFile(
	file: UploadedFile | undefined,
	chosen: Columns | undefined,
	formats: Formats = {},
): Promise<AudienceFile> {
	if (!file) throw new AppError(400, 'Please upload a contact file')
	const { table, hidden } = await openTable(file, { withHidden: chosen?.withHidden })
	const people = await openPeople(table, { chosen, needsName: false })
	if (!people) throw new AppError(400, 'This file is empty')
	const { header, columns } = people
	const places = placesOf(header, columns)
	const chosenFormats = new Map(Object.entries(formats))
	const valueOf = (cells: readonly string[], tag: string) =>
		formatValue(textAt(cells, places.get(tag)), chosenFormats.get(tag) ?? 'typed') || null
	return {
		header,
		columns,
		hidden,
		tags: [...places.keys()],
		places,
		isWorkbook: isWorkbookName(file.filename),
		async *rows(tags) {
			for await (const rows of people.rows())
				yield rows.map((row) => {
					const doubt = row.number && doubtIn(row.number)
					const isTaken = doubt === null || columns.withUnlikely === true
					return { ...row, doubt, recipient: isTaken ? recipientOf(row, tags, valueOf) : null }
				})
		},
	}
}

/**
 * Returns the column index of each merge tag. Every column is a tag by its name; of two with the same name, the first.
 */
function placesOf(header: readonly string[], columns: Columns): Map<string, number> {
	const places = new Map<string, number>()
	for (const tag of CONTACT_TAGS) {
		const at = columns[tag]
		if (at !== null && at < header.length) places.set(tag, at)
	}
	for (const [at, cell] of header.entries()) {
		const name = columns.hasHeader ? cell : `column${at + 1}`
		if (name !== '' && !/[{}|]/.test(name) && !places.has(name)) places.set(name, at)
	}
	return places
}

function recipientOf(
	{ number, typed, cells }: PersonRow,
	tags: readonly string[],
	valueOf: (cells: readonly string[], tag: string) => string | null,
): Recipient | null {
	if (number === null) return null
	const name = `${typed.firstName} ${typed.lastName}`.trim().slice(0, MAX_NAME_LENGTH)
	const values = tags.map((tag) => (tag === 'number' ? `+${number}` : valueOf(cells, tag)))
	return { number, name: name || null, values }
}
