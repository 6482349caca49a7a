import { readCallingCode, withCallingCode } from '#lib/calling-code.ts'
import type { Table } from '#lib/csv-table.ts'
import { FileError } from '#lib/csv-text.ts'
import { isErrorWord } from '#lib/error-words.ts'
import { readNumbers } from '#lib/phone-reader.ts'
import { isShortened, MAX_NUMBER_TEXT, repairNumber } from '#lib/phone-text.ts'
import { displayNumber } from '#lib/phone.ts'
import { textAt } from './cell-texts.ts'
import type { Columns } from './columns.ts'
import { matchColumns, tooWide, widthOf } from './csv-columns.ts'
import { MAX_NAME_LENGTH, NAME_AND_NUMBER_MISSING, NUMBER_INVALID, SHORTENED } from './rules.ts'

/** What a row says of a person; the names in one line, the number as typed. */
export interface TypedPerson {
	firstName: string
	lastName: string
	number: string
}

/** Why nobody can be reached or stored by a row: not complete, not valid, or the number of an earlier row. */
export interface Refusal {
	kind: 'dropped' | 'refused' | 'duplicate'
	reason: string
}

/** A person with a number in the canonical form, or a row that is none. */
export type ReadPerson = { typed: TypedPerson } & (
	| { number: string; /** Further numbers of the cell, which are left out. */ others: string[]; refusal: null }
	| { number: null; refusal: Refusal }
)

/** A row of a file, counted from 1 as spreadsheets do. */
export type PersonRow = ReadPerson & { row: number; cells: string[] }

/** A file of people whose columns are known. */
export interface PeopleFile {
	/** The names of the columns; without a header, the first row. */
	header: string[]
	columns: Columns
	/** Its rows, some at a time, without the header and empty ones. */
	rows(): AsyncGenerator<PersonRow[]>
}

interface PeopleRules {
	/** Contacts have a first name; whom a message is sent to needs none. */
	needsName: boolean
	/** Gives rows that have no name their number as the name. */
	namesByNumber?: boolean | undefined
	/** What somebody has typed instead of rows, by their place in the file. */
	corrected?: ReadonlyMap<number, TypedPerson> | undefined
}

const MAX_COLUMNS = 1000
const MAX_HEADER_LENGTH = 100

/** Finds the columns of a file, unless they were chosen; null when it has no rows. Its rows are read by `rows`. */
export async function openPeople(
	table: Table,
	{ chosen, ...rules }: PeopleRules & { chosen?: Columns | undefined },
): Promise<PeopleFile | null> {
	const start = await findStart(table)
	if (!start) return null
	const { first, titles } = start
	if (first.length > MAX_COLUMNS) throw new FileError('This file has more than 1,000 columns')
	const columns = chosen ?? matchColumns(first, await sampleBelow(table, titles + 1))
	const width = columns.hasHeader ? widthOf(first) : null
	return {
		header: first.map((cell) => cell.trim().slice(0, MAX_HEADER_LENGTH)),
		columns,
		rows: () => rowsOf(table, { columns, width, skipped: columns.hasHeader ? titles + 1 : 0, ...rules }),
	}
}

/** So many rows tell which columns hold numbers. */
const SAMPLED_ROWS = 50

/** Returns rows that are not empty, after the first so many of them. */
async function sampleBelow(table: Table, skipped: number): Promise<string[][]> {
	const found: string[][] = []
	for await (const rows of table.rows()) {
		found.push(...rows.filter((cells) => !isEmpty(cells)).slice(0, skipped + SAMPLED_ROWS - found.length))
		if (found.length >= skipped + SAMPLED_ROWS) break
	}
	return found.slice(skipped)
}

/** How many rows may stand above a header. */
const MAX_TITLES = 10

/** The header, below the title that many tables have, or else the first row; and how many rows that are not empty stand above it. */
async function findStart(table: Table): Promise<{ first: string[]; titles: number } | null> {
	const seen: string[][] = []
	for await (const rows of table.rows()) {
		for (const cells of rows.filter((each) => !isEmpty(each))) {
			const found = cells.length > MAX_COLUMNS ? null : matchColumns(cells)
			const hasNumber = found !== null && found.number !== null
			if (hasNumber && found.hasHeader) return { first: cells, titles: seen.length }
			seen.push(cells)
			// With a number the people begin: no header stands below them.
			if (hasNumber || seen.length > MAX_TITLES) return { first: seen[0] ?? cells, titles: 0 }
		}
	}
	return seen[0] ? { first: seen[0], titles: 0 } : null
}

function isEmpty(cells: readonly string[]): boolean {
	return cells.every((cell) => cell.trim() === '')
}

interface Reading extends PeopleRules {
	columns: Columns
	/** How many columns the header has; null without one. */
	width: number | null
	/** How many rows that are not empty come before the people. */
	skipped: number
}

async function* rowsOf(table: Table, reading: Reading): AsyncGenerator<PersonRow[]> {
	// A number of at most 15 digits takes less memory than its text.
	const rowOfNumber = new Map<number, number>()
	let row = 0
	let skipped = 0
	for await (const rows of table.rows()) {
		const people: PersonRow[] = []
		for (const cells of rows) {
			row++
			if (isEmpty(cells)) continue
			if (skipped++ < reading.skipped) continue
			people.push({
				row,
				cells,
				...readRow({ row, cells }, reading, (number) => earlierRow(rowOfNumber, number, row)),
			})
		}
		if (people.length > 0) yield people
	}
}

/** The row that the number was seen in before; when this is the first, it is remembered. */
function earlierRow(rowOfNumber: Map<number, number>, number: number, row: number): number | undefined {
	const earlier = rowOfNumber.get(number)
	if (earlier === undefined) rowOfNumber.set(number, row)
	return earlier
}

function readRow(
	{ row, cells }: Pick<PersonRow, 'row' | 'cells'>,
	{ columns, width, needsName, namesByNumber, corrected }: Reading,
	seenIn: (number: number) => number | undefined,
): ReadPerson {
	const correction = corrected?.get(row)
	const typed = correction ?? {
		firstName: textAt(cells, columns.firstName),
		lastName: textAt(cells, columns.lastName),
		number: numberIn(cells, columns),
	}
	const extra = correction ? null : tooWide(cells, width)
	if (extra !== null) return refused(typed, 'dropped', extra)
	const isNameless = namesByNumber === true && typed.firstName === ''
	const person = readPerson(typed, { needsName: needsName && !isNameless })
	if (person.number === null) return person
	if (isNameless) person.typed = { ...typed, firstName: `+${person.number}` }
	const earlier = seenIn(Number(person.number))
	return earlier === undefined ? person : refused(typed, 'duplicate', `The same number as in row ${earlier}`)
}

/** Returns the row's number as typed: of the first column of numbers that has one, with the code that stands beside it. */
function numberIn(cells: readonly string[], { number, otherNumbers = [], countryCode = null }: Columns): string {
	const own = numberAt(cells, number)
	const other = /\d/.test(own)
		? undefined
		: otherNumbers.map((at) => numberAt(cells, at)).find((cell) => /\d/.test(cell))
	const typed = other ?? own
	const code = countryCode === null || typed === '' ? '' : (cells[countryCode] ?? '').trim()
	if (code === '' || isErrorWord(code)) return typed
	const callingCode = readCallingCode(code)
	// An unknown code makes the number unreadable: without it, it may be a stranger's.
	return callingCode === null ? `#${code.slice(0, 20)} ${typed}` : withCallingCode(typed, callingCode)
}

function numberAt(cells: readonly string[], column: number | null): string {
	const cell = column === null ? '' : (cells[column] ?? '').trim()
	if (isErrorWord(cell)) return ''
	return cell.length > MAX_NUMBER_TEXT ? cell.slice(0, MAX_NUMBER_TEXT + 1) : repairNumber(cell)
}

/** The rule for a row: of an uploaded file, in the browser and on the server, and of contacts that another program sends. */
export function readPerson(typed: TypedPerson, { needsName }: Pick<PeopleRules, 'needsName'>): ReadPerson {
	const { firstName, lastName } = typed
	if (needsName && (!firstName || !typed.number.trim())) return refused(typed, 'dropped', NAME_AND_NUMBER_MISSING)
	if (!typed.number.trim()) return refused(typed, 'dropped', 'The row has no number')
	if (needsName && firstName.length > MAX_NAME_LENGTH) return refused(typed, 'refused', 'First name is too long')
	if (needsName && lastName.length > MAX_NAME_LENGTH) return refused(typed, 'refused', 'Last name is too long')
	const read = typed.number.length > MAX_NUMBER_TEXT ? null : readNumbers(typed.number)
	if (read !== null) return { typed, ...read, refusal: null }
	return refused(typed, 'refused', isShortened(typed.number.slice(0, MAX_NUMBER_TEXT)) ? SHORTENED : NUMBER_INVALID)
}

function refused(typed: TypedPerson, kind: Refusal['kind'], reason: string): ReadPerson {
	return { typed, number: null, refusal: { kind, reason } }
}

/** Returns which further numbers of a cell are left out, in words; null without any. */
export function secondNumberNote(others: readonly string[]): string | null {
	if (others.length === 0) return null
	return `Left out: the second number ${others.map((other) => (/^\d{8,}$/.test(other) ? displayNumber(other) : other)).join(', ')}`
}
