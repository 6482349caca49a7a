import { problem } from '#features/contacts/problems.ts'
import type { Table } from '#lib/files/csv-table.ts'
import { numberCell } from '#lib/files/csv.ts'
import { readCallingCode, withCallingCode } from '#lib/phone/calling-code.ts'
import { readNumbers, readNumber } from '#lib/phone/phone-reader.ts'
import { isShortened, MAX_NUMBER_TEXT, repairNumber } from '#lib/phone/phone-text.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { countCharacters, cutTo } from '#lib/text/characters.ts'
import { isErrorWord } from '#lib/text/error-words.ts'
import { type Columns } from './columns.ts'
import { matchColumns, tooWide, widthOf } from './csv-columns.ts'
import { textAt } from './rules.ts'
import { MAX_NAME_LENGTH, NAME_AND_NUMBER_MISSING, NUMBER_INVALID, SHORTENED } from './rules.ts'

/** Person as typed in a row: names in one line, number as typed. */
export interface TypedPerson {
	firstName: string
	lastName: string
	number: string
}

/**
 * Reason why a row is not used: incomplete or wider than the header (`dropped`), invalid (`refused`), or the number of
 * an earlier row (`duplicate`).
 */
export interface Refusal {
	kind: 'dropped' | 'refused' | 'duplicate'
	reason: string
}

/** Result of reading a row: a person with a number in canonical form, or the refusal. */
export type ReadPerson = { typed: TypedPerson } & (
	| { number: string; /** Further numbers of the cell, which are left out. */ others: string[]; refusal: null }
	| { number: null; refusal: Refusal }
)

/** Row of a file, counted from 1 as in spreadsheets. */
export type PersonRow = ReadPerson & { row: number; cells: string[] }

/** File of people whose columns are known. */
export interface PeopleFile {
	/** Names of the columns; without a header, the cells of the first row. */
	header: string[]
	columns: Columns
	/** Yields the rows in batches, without the header and empty rows. */
	rows(): AsyncGenerator<PersonRow[]>
}

interface PeopleRules {
	/** Requires a first name, as contacts do. Recipients of a campaign need none. */
	needsName: boolean
	/** Uses the number as the first name in rows without a name. */
	namesByNumber?: boolean | undefined
	/** Corrections that the user typed, by row number. */
	corrected?: ReadonlyMap<number, TypedPerson> | undefined
}

const MAX_COLUMNS = 1000
const MAX_HEADER_LENGTH = 100

/**
 * Opens a file and finds its columns, unless `chosen` names them. Returns null for a file without rows; throws a 400
 * for one with more than 1,000 columns.
 */
export async function openPeople(
	table: Table,
	{ chosen, ...rules }: PeopleRules & { chosen?: Columns | undefined },
): Promise<PeopleFile | null> {
	const start = await findStart(table)
	if (!start) return null
	const { first, titles } = start
	if (first.length > MAX_COLUMNS) throw problem('file_too_wide', { most: MAX_COLUMNS })
	const columns = chosen ?? matchColumns(first, await sampleBelow(table, titles + 1))
	const width = columns.hasHeader ? widthOf(first) : null
	return {
		header: first.map((cell) => cutTo(cell.trim(), MAX_HEADER_LENGTH)),
		columns,
		rows: () => rowsOf(table, { columns, width, skipped: columns.hasHeader ? titles + 1 : 0, ...rules }),
	}
}

/** Number of rows that decide which columns hold numbers. */
const SAMPLED_ROWS = 50

/** Returns up to `SAMPLED_ROWS` rows that are not empty, after skipping `skipped` of them. */
async function sampleBelow(table: Table, skipped: number): Promise<string[][]> {
	const found: string[][] = []
	for await (const rows of table.rows()) {
		found.push(...rows.filter((cells) => !isEmpty(cells)).slice(0, skipped + SAMPLED_ROWS - found.length))
		if (found.length >= skipped + SAMPLED_ROWS) break
	}
	return found.slice(skipped)
}

/** Maximum number of title rows above a header. */
const MAX_TITLES = 10

/**
 * Returns the header, which may follow up to `MAX_TITLES` title rows, or without a header the first row; null for a
 * file without rows. `titles` counts the non-empty rows above the header.
 */
async function findStart(table: Table): Promise<{ first: string[]; titles: number } | null> {
	const seen: string[][] = []
	for await (const rows of table.rows()) {
		for (const cells of rows.filter((each) => !isEmpty(each))) {
			const found = cells.length > MAX_COLUMNS ? null : matchColumns(cells)
			const hasNumber = found !== null && found.number !== null
			if (hasNumber && found.hasHeader) return { first: cells, titles: seen.length }
			seen.push(cells)
			// A row with a number is a person, so no header can follow.
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
	/** Number of the header's columns; null without a header. */
	width: number | null
	/** Number of non-empty rows before the first person. */
	skipped: number
}

async function* rowsOf(table: Table, reading: Reading): AsyncGenerator<PersonRow[]> {
	// The keys are numbers, because up to 15 digits take less memory as a number than as a text.
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

/** Returns the earlier row with the same number. Without one, records this row and returns undefined. */
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

/** Returns the number of a row as typed: from the first number column with digits, with the calling code of its row. */
function numberIn(cells: readonly string[], { number, otherNumbers = [], countryCode = null }: Columns): string {
	const own = numberAt(cells, number)
	const other = /\d/.test(own)
		? undefined
		: otherNumbers.map((at) => numberAt(cells, at)).find((cell) => /\d/.test(cell))
	const typed = other ?? own
	const code = countryCode === null || typed === '' ? '' : (cells[countryCode] ?? '').trim()
	if (code === '' || isErrorWord(code)) return typed
	const callingCode = readCallingCode(code)
	// An unknown code makes the number invalid on purpose: without the code it might reach a stranger.
	return callingCode === null ? `#${code.slice(0, 20)} ${typed}` : withCallingCode(typed, callingCode)
}

function numberAt(cells: readonly string[], column: number | null): string {
	const cell = column === null ? '' : (cells[column] ?? '').trim()
	if (isErrorWord(cell)) return ''
	return cell.length > MAX_NUMBER_TEXT ? cell.slice(0, MAX_NUMBER_TEXT + 1) : repairNumber(cell)
}

/**
 * Validates one person. The browser and the server apply this rule to uploaded rows, contacts from the API and
 * recipients of campaigns.
 */
export function readPerson(typed: TypedPerson, { needsName }: Pick<PeopleRules, 'needsName'>): ReadPerson {
	const { firstName, lastName } = typed
	if (needsName && (!firstName || !typed.number.trim())) return refused(typed, 'dropped', NAME_AND_NUMBER_MISSING)
	if (!typed.number.trim()) return refused(typed, 'dropped', 'The row has no number')
	if (needsName && countCharacters(firstName) > MAX_NAME_LENGTH)
		return refused(typed, 'refused', 'First name is too long')
	if (needsName && countCharacters(lastName) > MAX_NAME_LENGTH)
		return refused(typed, 'refused', 'Last name is too long')
	const read = typed.number.length > MAX_NUMBER_TEXT ? null : readNumbers(typed.number)
	if (read !== null) return { typed, ...read, refusal: null }
	return refused(typed, 'refused', isShortened(typed.number.slice(0, MAX_NUMBER_TEXT)) ? SHORTENED : NUMBER_INVALID)
}

function refused(typed: TypedPerson, kind: Refusal['kind'], reason: string): ReadPerson {
	return { typed, number: null, refusal: { kind, reason } }
}

/** Names the further numbers of a cell, which are left out; null when there are none. */
export function secondNumberNote(others: readonly string[]): string | null {
	if (others.length === 0) return null
	return `Left out: the second number ${others.map((other) => (/^\d{8,}$/.test(other) ? displayNumber(other) : other)).join(', ')}`
}

/** Numbers short enough for spreadsheets to show all digits. */
const SHORT = /^[1-9]\d{0,10}$/

/**
 * Returns a typed number as a cell that spreadsheets do not change. A text that is not a number is returned as typed.
 */
export function typedNumberCell(typed: string): string {
	if (SHORT.test(typed)) return typed
	const number = readNumber(typed)
	return number === null ? typed : numberCell(number)
}
