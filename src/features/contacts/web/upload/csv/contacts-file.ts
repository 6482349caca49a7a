import type { Columns } from '#features/contacts/columns.ts'
import { openPeople, type PersonRow, type Refusal, type TypedPerson } from '#features/contacts/people-file.ts'
import type { Table } from '#lib/csv-table.ts'
import { FileError } from '#lib/csv-text.ts'
import { formatCount } from '#lib/numbers.ts'
import { doubtIn } from '#lib/phone-plan.ts'

/** A row as it will be sent. `row` is its place in the file, counted from 1 as spreadsheets do. */
export type SendRow = TypedPerson & { row: number }

export type RowState = 'valid' | 'unlikely' | Refusal['kind']
export interface ClassifiedRow extends SendRow {
	state: RowState
	/** Why it is not simply valid. */
	reason: string | null
}

/** What becomes of a file's rows. */
export interface ContactsFile {
	/** What the columns are called, or their first row where nothing names them. */
	header: string[]
	columns: Columns
	/** What is sent, in the order of the file. The server says once more why it refuses a row. */
	sendable: SendRow[]
	/** What is not sent, each with its reason. */
	left: ClassifiedRow[]
	counts: Record<RowState, number>
	/** The first rows, whatever became of them. */
	preview: ClassifiedRow[]
}

const PREVIEW_ROWS = 10
/** What a browser keeps in memory without running out of it. */
const MAX_ROWS = 2_000_000

/** Reads a whole file; without `chosen`, its columns are found. */
export async function readContacts(table: Table, chosen?: Columns): Promise<ContactsFile> {
	const people = await openPeople(table, { chosen, needsName: true })
	if (!people) throw new FileError('No valid contacts found in CSV')
	const { header, columns } = people
	const counts = { valid: 0, unlikely: 0, duplicate: 0, dropped: 0, refused: 0 }
	const file: ContactsFile = { header, columns, sendable: [], left: [], counts, preview: [] }
	for await (const rows of people.rows()) for (const row of rows) add(file, row)
	return file
}

function add({ counts, preview, sendable, left }: ContactsFile, { row, typed, number, refusal }: PersonRow): void {
	if (row > MAX_ROWS)
		throw new FileError(`This file has more than ${formatCount(MAX_ROWS)} rows: split it into several`)
	const reason = refusal ? refusal.reason : doubtIn(number)
	const state = refusal?.kind ?? (reason === null ? 'valid' : 'unlikely')
	const send = { row, ...typed }
	counts[state]++
	if (preview.length < PREVIEW_ROWS) preview.push({ ...send, state, reason })
	if (state === 'dropped' || state === 'duplicate') left.push({ ...send, state, reason })
	else sendable.push(send)
}
