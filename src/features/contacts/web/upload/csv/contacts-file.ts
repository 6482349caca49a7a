import type { Columns } from '#features/contacts/columns.ts'
import { readNumber } from '#features/contacts/numbers.ts'
import { openPeople, type PersonRow, type Refusal, type TypedPerson } from '#features/contacts/people-file.ts'
import type { Table } from '#lib/csv-table.ts'
import { FileError } from '#lib/csv-text.ts'
import { formatCount } from '#lib/numbers.ts'
import { doubtIn } from '#lib/phone-plan.ts'

/** `update` is a number that the account has. */
export type RowState = 'new' | 'update' | 'unlikely' | Refusal['kind']

/** A row and what becomes of it. `row` is its place in the file, counted from 1 as spreadsheets do. */
export interface ContactRow extends TypedPerson {
	row: number
	state: RowState
	/** Why it is not simply taken. */
	reason: string | null
}

export interface ContactsFile {
	/** What the columns are called, or their first row where nothing names them. */
	header: string[]
	columns: Columns
	rows: ContactRow[]
}

interface Reading {
	/** The columns; without them they are found. */
	chosen?: Columns | undefined
	/** What was typed instead of rows. */
	corrected?: ReadonlyMap<number, TypedPerson>
	/** Whether the account has a number, for those that were asked about. */
	known?: ReadonlyMap<string, boolean>
}

/** What a browser keeps in memory without running out of it. */
const MAX_ROWS = 2_000_000

export async function readContacts(table: Table, reading: Reading = {}): Promise<ContactsFile> {
	const { chosen, corrected, known } = reading
	const people = await openPeople(table, { chosen, corrected, needsName: true })
	if (!people) throw new FileError('No valid contacts found in CSV')
	const rows: ContactRow[] = []
	for await (const some of people.rows()) for (const person of some) rows.push(classify(person, known))
	return { header: people.header, columns: people.columns, rows }
}

function classify({ row, typed, number, refusal }: PersonRow, known: Reading['known']): ContactRow {
	if (row > MAX_ROWS)
		throw new FileError(`This file has more than ${formatCount(MAX_ROWS)} rows: split it into several`)
	if (refusal) return { row, ...typed, state: refusal.kind, reason: refusal.reason }
	const reason = doubtIn(number)
	return { row, ...typed, state: reason !== null ? 'unlikely' : known?.get(number) ? 'update' : 'new', reason }
}

/** What is sent, in the order of the file: all but incomplete rows and duplicates. The server says once more why it refuses one. */
export function sendableOf({ rows }: ContactsFile): ContactRow[] {
	return rows.filter(({ state }) => state !== 'dropped' && state !== 'duplicate')
}

/** As many rows as are asked about: more would take longer than their upload. */
const MAX_ASKED = 50_000

/** The next numbers of which it is not known whether the account has them. None of a file that is too long for it. */
export function unaskedNumbers(
	{ rows }: ContactsFile,
	known: ReadonlyMap<string, boolean>,
	count: number,
): string[] | null {
	const fresh = rows.filter(({ state }) => state === 'new')
	if (fresh.length > MAX_ASKED) return null
	const numbers: string[] = []
	for (const { number } of fresh) {
		const canonical = readNumber(number)
		if (canonical !== null && !known.has(canonical)) numbers.push(canonical)
		if (numbers.length === count) break
	}
	return numbers
}

/** Marks the new rows whose number the account has. */
export function markKnown({ rows }: ContactsFile, known: ReadonlyMap<string, boolean>): void {
	for (const row of rows) if (row.state === 'new' && known.get(readNumber(row.number) ?? '')) row.state = 'update'
}
