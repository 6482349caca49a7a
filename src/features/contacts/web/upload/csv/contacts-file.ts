import { textAt } from '#features/contacts/cell-texts.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { likelyType, type FieldType } from '#features/contacts/own-fields.ts'
import {
	openPeople,
	secondNumberNote,
	type PersonRow,
	type Refusal,
	type TypedPerson,
} from '#features/contacts/people-file.ts'
import type { Table } from '#lib/csv-table.ts'
import { FileError } from '#lib/csv-text.ts'
import { formatCount } from '#lib/numbers.ts'
import { doubtIn } from '#lib/phone-plan.ts'

/** `update` is a number that the account has. */
export type RowState = 'new' | 'update' | 'unlikely' | Refusal['kind']

/** A row and what becomes of it. `row` is its place in the file, counted from 1 as spreadsheets do. */
export interface ContactRow extends TypedPerson {
	row: number
	/** The number in its canonical form; null for a row without one. */
	canonical: string | null
	state: RowState
	/** Why it is not simply taken. */
	reason: string | null
	/** What it has in the columns that are kept besides names and numbers, in their order. */
	kept: string[]
}

export interface ContactsFile {
	/** What the columns are called, or their first row where nothing names them. */
	header: string[]
	columns: Columns
	rows: ContactRow[]
	/** What the columns seem to hold, by their place; null for a column without values. */
	likelyTypes: (FieldType | null)[]
}

interface Reading {
	/** The columns; without them they are found. */
	chosen?: Columns | undefined
	/** What was typed instead of rows. */
	corrected?: ReadonlyMap<number, TypedPerson>
	/** Whether the account has a number, for those that were asked about. */
	known?: ReadonlyMap<string, boolean>
	/** The places of the columns that are kept. */
	kept?: readonly number[]
	/** Gives rows that have no name their number as the name. */
	namesByNumber?: boolean
}

/** Those after them are left out: an account has fields for half as many. */
const MAX_KEPT_COLUMNS = 60
/** So many rows tell what a column holds. */
const SAMPLED_ROWS = 1000
/** What a browser keeps in memory without running out of it. */
const MAX_ROWS = 2_000_000

export async function readContacts(table: Table, reading: Reading = {}): Promise<ContactsFile> {
	const { chosen, corrected, known, kept = [], namesByNumber } = reading
	const people = await openPeople(table, { chosen, corrected, needsName: true, namesByNumber })
	if (!people) throw new FileError('No valid contacts found in CSV')
	const rows: ContactRow[] = []
	const samples = people.header.slice(0, MAX_KEPT_COLUMNS).map((): string[] => [])
	for await (const some of people.rows())
		for (const person of some) {
			rows.push({ ...classify(person, known), kept: kept.map((at) => textAt(person.cells, at)) })
			if (rows.length <= SAMPLED_ROWS) for (const [at, cells] of samples.entries()) cells.push(textAt(person.cells, at))
		}
	const likelyTypes = samples.map((values, at) =>
		values.some((value) => value !== '') ? likelyType(people.header[at] ?? '', values) : null,
	)
	return { header: people.header, columns: people.columns, rows, likelyTypes }
}

function classify(person: PersonRow, known: Reading['known']): Omit<ContactRow, 'kept'> {
	const { row, typed, number, refusal } = person
	if (row > MAX_ROWS)
		throw new FileError(`This file has more than ${formatCount(MAX_ROWS)} rows: split it into several`)
	if (refusal) return { row, ...typed, canonical: null, state: refusal.kind, reason: refusal.reason }
	const doubt = doubtIn(number)
	const state = doubt !== null ? 'unlikely' : known?.get(number) ? 'update' : 'new'
	return { row, ...typed, canonical: number, state, reason: doubt ?? secondNumberNote(person.others) }
}

/** Returns the rows that are sent, in the order of the file: all but incomplete rows, duplicates and, unless asked for, unlikely ones. */
export function sendableOf({ rows }: ContactsFile, withUnlikely = true): ContactRow[] {
	return rows.filter(
		({ state }) => state !== 'dropped' && state !== 'duplicate' && (withUnlikely || state !== 'unlikely'),
	)
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
	for (const { canonical } of fresh) {
		if (canonical !== null && !known.has(canonical)) numbers.push(canonical)
		if (numbers.length === count) break
	}
	return numbers
}

/** Marks the new rows whose number the account has. */
export function markKnown({ rows }: ContactsFile, known: ReadonlyMap<string, boolean>): void {
	for (const row of rows) if (row.state === 'new' && known.get(row.canonical ?? '')) row.state = 'update'
}
