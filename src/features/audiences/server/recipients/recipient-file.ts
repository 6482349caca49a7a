import type { Formats } from '#features/audiences/audience-fields.ts'
import { formatValue } from '#features/audiences/recipient-values.ts'
import { textAt } from '#features/contacts/cell-texts.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { openPeople, type PersonRow } from '#features/contacts/people-file.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { AppError } from '#lib/server/errors.ts'
import { openTable } from '#lib/server/files/table-file.ts'
import type { UploadedFile } from '#lib/server/http/uploads.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import type { Recipient } from './audience-queries.ts'

/** A row of a file and the recipient that it is, or none. */
export type FileRow = PersonRow & { recipient: Recipient | null }

/** An audience file whose columns are known. */
export interface AudienceFile {
	/** The names of the columns; without a header, the first row. */
	header: string[]
	columns: Columns
	/** How many rows and columns of a workbook are hidden in it. */
	hidden: { rows: number; columns: number }
	/** The merge tags it has values for. */
	tags: string[]
	/** The column of each, from 0. */
	places: ReadonlyMap<string, number>
	/** It is a workbook, whose numbers and dates stand in it without their looks. */
	isWorkbook: boolean
	/** Its rows, some at a time, without empty ones. `tags` are those whose values the recipients are to have. */
	rows(tags: readonly string[]): AsyncGenerator<FileRow[]>
}

const MAX_NAME_LENGTH = 200

/** Finds the columns of an uploaded file. Its rows are read lazily, by `rows`, with the values in these formats, by tag. */
export async function openAudienceFile(
	file: UploadedFile | undefined,
	chosen: Columns | undefined,
	formats: Formats = {},
): Promise<AudienceFile> {
	if (!file) throw new AppError(400, 'Please upload a contact file')
	const withHidden = chosen?.withHidden ?? false
	const { table, hidden } = await openTable(file, { withHidden })
	const people = await openPeople(table, { chosen, needsName: false })
	if (!people) throw new AppError(400, 'This file is empty')
	const { header } = people
	const columns = { ...people.columns, ...(withHidden && { withHidden }) }
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
				yield rows.map((row) => ({ ...row, recipient: recipientOf(row, tags, valueOf) }))
		},
	}
}

/** The column index of each merge tag. Every column is a tag by its name; of two with the same name, the first. */
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
