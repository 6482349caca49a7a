import type { FileColumns } from '#features/campaigns/form-fields.ts'
import { CONTACT_TAGS } from '#features/campaigns/rules.ts'
import { matchColumns, tooWide, widthOf } from '#features/contacts/csv-columns.ts'
import { cleanName, numberError, NUMBER_INVALID } from '#features/contacts/rules.ts'
import { readNumber } from '#features/contacts/server/service.ts'
import { withoutFormulaMark } from '#lib/csv.ts'
import { AppError } from '#lib/server/errors.ts'
import { createNumberTable, type NumberTable } from '#lib/server/number-table.ts'
import { openTable, type TableFile } from '#lib/server/table-file.ts'
import type { UploadedFile } from '#lib/server/uploads.ts'

/** A row of a file that is a recipient. */
export interface FileRecipient {
	/** In the canonical form. */
	number: string
	name: string | null
	/** The value of each merge tag that was asked for, in that order; null where the row has nothing. */
	values: (string | null)[]
}

/** A row of a file, counted from 1 as in spreadsheets: a recipient, or the reason why it is not one. */
export interface FileRow {
	row: number
	cells: string[]
	recipient: FileRecipient | null
	reason: string | null
	isDuplicate: boolean
}

/** An audience file whose columns are known. */
export interface AudienceFile {
	/** The names of the columns; without a header, the first row. */
	header: string[]
	columns: FileColumns
	/** The merge tags it has values for. */
	tags: string[]
	/** Its rows, some at a time, without empty ones. `tags` are those whose values the recipients are to have. */
	rows(tags: readonly string[]): AsyncGenerator<FileRow[]>
}

const MAX_COLUMNS = 1000
const MAX_NAME_LENGTH = 200
const MAX_NUMBER_LENGTH = 100
const MAX_HEADER_LENGTH = 100

/** Finds the columns of an uploaded file. Its rows are read lazily, by `rows`. */
export async function openAudienceFile(
	file: UploadedFile | undefined,
	chosen: FileColumns | undefined,
): Promise<AudienceFile> {
	if (!file) throw new AppError(400, 'Please upload a contact file')
	const table = await openTable(file)
	const first = await firstRow(table)
	if (first.length > MAX_COLUMNS) throw new AppError(400, 'This file has more than 1,000 columns')
	const columns = chosen ?? matchColumns(first)
	const header = first.map((cell) => cell.trim().slice(0, MAX_HEADER_LENGTH))
	const places = placesOf(header, columns)
	return {
		header,
		columns,
		tags: [...places.keys()],
		rows: (tags) => classified(table, { columns, width: columns.hasHeader ? widthOf(header) : null, places, tags }),
	}
}

async function firstRow(table: TableFile): Promise<string[]> {
	for await (const rows of table.rows()) {
		const first = rows.find((cells) => !isEmpty(cells))
		if (first) return first
	}
	throw new AppError(400, 'This file is empty')
}

/** The column index of each merge tag. Every column is a tag by its name; of two with the same name, the first. */
function placesOf(header: readonly string[], columns: FileColumns): Map<string, number> {
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

interface Reading {
	columns: FileColumns
	/** How many columns the header has; null without one. */
	width: number | null
	places: ReadonlyMap<string, number>
	tags: readonly string[]
}

async function* classified(table: TableFile, reading: Reading): AsyncGenerator<FileRow[]> {
	const seen = createNumberTable()
	let row = 0
	let isHeader = reading.columns.hasHeader
	for await (const rows of table.rows()) {
		const found: FileRow[] = []
		for (const cells of rows) {
			row++
			if (isEmpty(cells)) continue
			if (isHeader) {
				isHeader = false
				continue
			}
			found.push(classify(cells, { row, seen, reading }))
		}
		if (found.length > 0) yield found
	}
}

function classify(
	cells: string[],
	{ row, seen, reading }: { row: number; seen: NumberTable; reading: Reading },
): FileRow {
	const { columns, width, places, tags } = reading
	const refused = (reason: string, isDuplicate = false): FileRow => ({
		row,
		cells,
		recipient: null,
		reason,
		isDuplicate,
	})
	const extra = tooWide(cells, width)
	if (extra !== null) return refused(extra)
	const typed = columns.number === null ? '' : (cells[columns.number] ?? '')
	if (typed.trim() === '') return refused('The row has no number')
	const number = typed.length > MAX_NUMBER_LENGTH ? null : readNumber(typed)
	if (number === null) return refused(numberError(typed.slice(0, MAX_NUMBER_LENGTH)) ?? NUMBER_INVALID)
	const earlier = seen.firstRow(Number(number), row)
	if (earlier !== undefined) return refused(`The same number as in row ${earlier}`, true)
	const cell = (at: number | null | undefined) => (at === null || at === undefined ? '' : textIn(cells[at] ?? ''))
	const values = tags.map((tag) => (tag === 'number' ? `+${number}` : cell(places.get(tag)) || null))
	const name = [cell(columns.firstName), cell(columns.lastName)].join(' ').trim().slice(0, MAX_NAME_LENGTH)
	return { row, cells, recipient: { number, name: name || null, values }, reason: null, isDuplicate: false }
}

function isEmpty(cells: readonly string[]): boolean {
	return cells.every((cell) => cell.trim() === '')
}

/** The cell as one line that database and WhatsApp accept, without the apostrophe that our own export puts before formulas. */
function textIn(cell: string): string {
	return cleanName(withoutFormulaMark(cell))
}
