import { type Columns } from '#features/contacts/columns.ts'
import { likelyType, type FieldType } from '#features/contacts/custom-fields.ts'
import {
	openPeople,
	secondNumberNote,
	type PersonRow,
	type Refusal,
	type TypedPerson,
} from '#features/contacts/people-file.ts'
import { problem } from '#features/contacts/problems.ts'
import { textAt } from '#features/contacts/rules.ts'
import type { Table } from '#lib/files/csv-table.ts'
import { doubtIn } from '#lib/phone/phone-plan.ts'

/** State of a row; `update` means that its number is a contact already. */
export type RowState = 'new' | 'update' | 'unlikely' | Refusal['kind']

/** Row of the file with its state. `row` counts from 1 as in spreadsheets. */
export interface ContactRow extends TypedPerson {
	row: number
	/** Number in canonical form; null when the row has none. */
	canonical: string | null
	state: RowState
	/** Reason why the row is not simply taken; null otherwise. */
	reason: string | null
	/** Describes further numbers of the cell, which are not used; null when there are none. */
	note: string | null
	/** Cells of the retained columns, in their order. */
	retained: string[]
}

export interface ContactsFile {
	/** Names of the columns; without a header, the cells of the first row. */
	header: string[]
	columns: Columns
	rows: ContactRow[]
	/** Likely type of each column by its index; null for an empty column. */
	likelyTypes: (FieldType | null)[]
}

interface Reading {
	/** Columns that the user chose; left out, they are found. */
	chosen?: Columns | undefined
	/** Corrections that the user typed, by row. */
	corrected?: ReadonlyMap<number, TypedPerson>
	/** Numbers that the server was asked about; true when the number is a contact. */
	known?: ReadonlyMap<string, boolean>
	/** Indexes of the retained columns. */
	retained?: readonly number[]
	/** Uses the number as the name in rows without a name. */
	namesByNumber?: boolean
}

/** Maximum columns that can be retained: twice the fields of an account. */
const MAX_RETAINED_COLUMNS = 60
/** Number of rows that decide the type of a column. */
const SAMPLED_ROWS = 1000
/** Maximum rows that a browser can hold in memory. */
const MAX_ROWS = 2_000_000

export async function readContacts(table: Table, reading: Reading = {}): Promise<ContactsFile> {
	const { chosen, corrected, known, retained = [], namesByNumber } = reading
	const people = await openPeople(table, { chosen, corrected, needsName: true, namesByNumber })
	if (!people) throw problem('contacts_missing')
	const rows: ContactRow[] = []
	const samples = people.header.slice(0, MAX_RETAINED_COLUMNS).map((): string[] => [])
	for await (const some of people.rows())
		for (const person of some) {
			rows.push({ ...classify(person, known), retained: retained.map((at) => textAt(person.cells, at)) })
			if (rows.length <= SAMPLED_ROWS) for (const [at, cells] of samples.entries()) cells.push(textAt(person.cells, at))
		}
	const likelyTypes = samples.map((values, at) =>
		values.some((value) => value !== '') ? likelyType(people.header[at] ?? '', values) : null,
	)
	return { header: people.header, columns: people.columns, rows, likelyTypes }
}

function classify(person: PersonRow, known: Reading['known']): Omit<ContactRow, 'retained'> {
	const { row, typed, number, refusal } = person
	if (row > MAX_ROWS) throw problem('file_too_long', { most: MAX_ROWS })
	if (refusal) return { row, ...typed, canonical: null, state: refusal.kind, reason: refusal.reason, note: null }
	const note = secondNumberNote(person.others)
	const found = { row, ...typed, canonical: number, note }
	if (known?.get(number)) return { ...found, state: 'update', reason: note }
	const doubt = doubtIn(number)
	return { ...found, state: doubt === null ? 'new' : 'unlikely', reason: doubt ?? note }
}

/**
 * Returns the rows to send, in the order of the file: all except `dropped` and `duplicate` rows and, unless
 * `withUnlikely` is set, unlikely numbers. Refused rows are sent, so that the server returns their reasons.
 */
export function sendableOf({ rows }: ContactsFile, withUnlikely = true): ContactRow[] {
	return rows.filter(
		({ state }) => state !== 'dropped' && state !== 'duplicate' && (withUnlikely || state !== 'unlikely'),
	)
}

/** Maximum rows of a file for which the server is asked; asking for more would take longer than the upload. */
const MAX_ASKED = 50_000

/**
 * Returns the next `count` numbers that are not in `known`, unlikely ones first. With more than `MAX_ASKED` numbers in
 * the file, returns unlikely ones only, and null once none is left.
 */
export function unaskedNumbers(
	{ rows }: ContactsFile,
	known: ReadonlyMap<string, boolean>,
	count: number,
): string[] | null {
	const unlikely = rows.filter(({ state }) => state === 'unlikely')
	const likely = rows.filter(({ state }) => state === 'new')
	const isLong = unlikely.length + likely.length > MAX_ASKED
	const numbers: string[] = []
	for (const { canonical } of isLong ? unlikely.slice(0, MAX_ASKED) : [...unlikely, ...likely]) {
		if (canonical !== null && !known.has(canonical)) numbers.push(canonical)
		if (numbers.length === count) return numbers
	}
	return isLong && numbers.length === 0 ? null : numbers
}

/** Sets the state `update` on rows whose number is a contact. The number of a contact is never unlikely. */
export function markKnown({ rows }: ContactsFile, known: ReadonlyMap<string, boolean>): void {
	for (const row of rows)
		if ((row.state === 'new' || row.state === 'unlikely') && known.get(row.canonical ?? '')) {
			row.state = 'update'
			row.reason = row.note
		}
}
