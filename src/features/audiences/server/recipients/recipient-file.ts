import type { Formats } from '#features/audiences/contract.ts'
import { problem } from '#features/audiences/problems.ts'
import { formatValue, missingValues, nameValue } from '#features/audiences/values.ts'
import { type Columns } from '#features/contacts/columns.ts'
import { openPeople, type PersonRow, secondNumberNote } from '#features/contacts/people-file.ts'
import { textAt } from '#features/contacts/rules.ts'
import { listKnownNumbers } from '#features/contacts/server/contacts/queries.ts'
import type { Component } from '#features/templates/contract.ts'
import { createMisfitCounter, openParts } from '#features/templates/filled.ts'
import { CONTACT_TAGS, mergeTags, tagsWithoutFallback, type Variables } from '#features/templates/values.ts'
import { isWorkbookName } from '#lib/files/workbook-files.ts'
import { doubtIn } from '#lib/phone/phone-plan.ts'
import { problem as libProblem } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { openTable } from '#lib/server/files/table-file.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { cutTo } from '#lib/text/characters.ts'
import { type Recipient, type LeavingOut } from './audience-queries.ts'
import { createColumnCounter, type ColumnFacts } from './column-facts.ts'
import { findLeftOut, isLeftOut, reasonOf, type LeftOut } from './left-out-rows.ts'

/**
 * Row of a file with its recipient; null for a row that gets no message. `doubt` says why its number does not look like
 * a mobile number: such a row has a recipient only with `columns.withUnlikely`. A contact's number is never doubted.
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

interface Opening {
	file: UploadedFile | undefined
	/** The chosen columns; undefined to find the columns by their headers. */
	chosen: Columns | undefined
	/** The formats in which values are written, by tag. */
	formats?: Formats | undefined
}

/** Opens an uploaded file of an account. `rows` reads lazily. */
export async function openAudienceFile(
	sql: Sql,
	accountId: AccountId,
	{ file, chosen, formats = {} }: Opening,
): Promise<AudienceFile> {
	if (!file) throw problem('recipient_file_missing')
	const { table, hidden } = await openTable(file, { withHidden: chosen?.withHidden })
	const people = await openPeople(table, { chosen, needsName: false })
	if (!people) throw libProblem('file_empty')
	const { header, columns } = people
	const places = placesOf(header, columns)
	const isContact = rememberContacts(sql, accountId)
	const chosenFormats = new Map(Object.entries(formats))
	const valueOf = ({ cells, typed, number }: PersonRow, tag: string) => {
		const place = places.get(tag)
		const value = formatValue(textAt(cells, place), chosenFormats.get(tag) ?? 'typed') || null
		if (number === null || (place !== columns.firstName && place !== columns.lastName)) return value
		return nameValue(value, { whole: `${typed.firstName}${typed.lastName}`, number })
	}
	return {
		header,
		columns,
		hidden,
		tags: [...places.keys()],
		places,
		isWorkbook: isWorkbookName(file.filename),
		async *rows(tags) {
			for await (const rows of people.rows()) {
				const doubts = rows.map(({ number }) => number && doubtIn(number))
				const known = await isContact(rows.flatMap(({ number }, at) => (number && doubts[at] ? [number] : [])))
				yield rows.map((row, at) => {
					const doubt = known(row.number) ? null : (doubts[at] ?? null)
					const isTaken = doubt === null || columns.withUnlikely === true
					return { ...row, doubt, recipient: isTaken ? recipientOf(row, tags, valueOf) : null }
				})
			}
		},
	}
}

/** Returns a lookup of contacts that asks about each number once, so that every reading of a file has the same rows. */
function rememberContacts(sql: Sql, accountId: AccountId) {
	const asked = new Map<string, boolean>()
	return async (numbers: readonly string[]): Promise<(number: string | null) => boolean> => {
		const fresh = numbers.filter((number) => !asked.has(number))
		const found = new Set(fresh.length > 0 ? await listKnownNumbers(sql, accountId, fresh) : [])
		for (const number of fresh) asked.set(number, found.has(number))
		return (number) => number !== null && asked.get(number) === true
	}
}

/**
 * Returns the column index of each merge tag: the tags of contacts by the chosen columns, and every column by its name,
 * except an empty name or one with braces or a bar. Of two columns with the same name, the first counts.
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
	row: PersonRow,
	tags: readonly string[],
	valueOf: (row: PersonRow, tag: string) => string | null,
): Recipient | null {
	const { number, typed } = row
	if (number === null) return null
	const name = cutTo(`${typed.firstName} ${typed.lastName}`.trim(), MAX_NAME_LENGTH)
	const values = tags.map((tag) => (tag === 'number' ? `+${number}` : valueOf(row, tag)))
	return { number, name: name || null, values }
}

/** Contents of an audience file. */
export interface FileAnalysis extends ColumnFacts {
	/** Counts of rows. `valid` rows have a recipient; `unlikely` rows are valid only with `columns.withUnlikely`. */
	counts: { rows: number; valid: number; invalid: number; duplicate: number; unlikely: number }
	/** Valid rows that opted out; 0 unless the campaign is marketing. */
	optedOut: number
	/** Other valid rows that have reached the account's frequency cap. */
	capped: number
	preview: PreviewRow[]
	/** Valid rows whose cell has further numbers, which are not used. */
	secondNumbers: number
	/** Problems with values as texts: values that rows lack, and values that make a message too long. */
	errors: string[]
}

/** Row of the preview. `reason` says why it gets no message; `doubt` and `note` say what to check. */
interface PreviewRow {
	row: number
	cells: string[]
	number: string | null
	reason: string | null
	doubt: string | null
	note: string | null
}

/** Number of rows to check in a preview, and of other rows below them. */
const PREVIEW_ROWS = 10

interface Given {
	file: AudienceFile
	/** Components of the template; empty while no template is chosen. */
	components: readonly Component[]
	/** Variables whose merge tags use the file's column names. */
	variables: Variables
}

/** Reads the whole file: counts its rows, previews some of them and finds problems of its values. */
export async function analyseFile(
	sql: Sql,
	accountId: AccountId,
	{ file, components, variables, ...rules }: Given & LeavingOut,
): Promise<FileAnalysis> {
	const used = new Set(mergeTags(variables))
	const tags = file.tags.filter((tag) => used.has(tag))
	const filled = new Set(tags)
	const required = tagsWithoutFallback(variables).filter((tag) => filled.has(tag))
	const missing = new Map<string, number>()
	const counts = { rows: 0, valid: 0, invalid: 0, duplicate: 0, unlikely: 0 }
	const preview = createPreview()
	const counter = createColumnCounter(file)
	const misfits = createMisfitCounter(openParts(components, variables))
	let secondNumbers = 0
	let optedOut = 0
	let capped = 0
	for await (const rows of file.rows(tags)) {
		const recipients = rows.flatMap(({ recipient }) => recipient ?? [])
		const duplicates = rows.filter(({ refusal }) => refusal?.kind === 'duplicate').length
		counts.rows += rows.length
		counts.valid += recipients.length
		counts.duplicate += duplicates
		counts.invalid += rows.filter(({ refusal }) => refusal !== null && refusal.kind !== 'duplicate').length
		secondNumbers += rows.filter((row) => row.recipient !== null && furtherNumbers(row) !== null).length
		counts.unlikely += rows.filter(({ doubt }) => doubt !== null).length
		const out = await findLeftOut(sql, accountId, { ...rules, numbers: recipients.map(({ number }) => number) })
		optedOut += out.optedOut.size
		capped += out.capped.size
		for (const row of rows) preview.add(row, out)
		const isAddressed = ({ number }: Recipient) => !isLeftOut(number, out)
		const addressed = recipients.filter(isAddressed)
		countMissing(missing, addressed, { required, tags })
		for (const row of rows) counter.add(row, { isAddressed: row.recipient !== null && isAddressed(row.recipient) })
		for (const { values } of addressed) misfits.add((tag) => values[tags.indexOf(tag)] ?? null)
	}
	return {
		counts,
		optedOut,
		capped,
		preview: preview.rows(),
		secondNumbers,
		...counter.facts(),
		errors: [...Array.from(missing, ([tag, count]) => missingValues(tag, count)), ...misfits.errors()],
	}
}

/**
 * Collects the rows of a preview: rows with unlikely numbers first, then rows with second numbers, then the first other
 * rows.
 */
function createPreview() {
	const unlikely: PreviewRow[] = []
	const noted: PreviewRow[] = []
	const others: PreviewRow[] = []
	return {
		add(read: FileRow, out: LeftOut): void {
			const { row, cells, number, doubt } = read
			const note = furtherNumbers(read)
			const list = doubt !== null ? unlikely : note !== null ? noted : others
			if (list.length < PREVIEW_ROWS) list.push({ row, cells, number, reason: reasonOf(read, out), doubt, note })
		},
		rows: () => [...[...unlikely, ...noted].slice(0, PREVIEW_ROWS), ...others],
	}
}

/** Describes the further numbers of a row's cell, which are not used; null when there are none. */
function furtherNumbers(row: FileRow): string | null {
	return row.refusal === null ? secondNumberNote(row.others) : null
}

/**
 * Adds the number of recipients without a required value to `missing`, by tag. Recipients' values are in the order of
 * `tags`.
 */
function countMissing(
	missing: Map<string, number>,
	recipients: readonly Recipient[],
	{ required, tags }: { required: readonly string[]; tags: readonly string[] },
): void {
	for (const tag of required) {
		const at = tags.indexOf(tag)
		const without = recipients.filter(({ values }) => (values[at] ?? null) === null).length
		if (without > 0) missing.set(tag, (missing.get(tag) ?? 0) + without)
	}
}

/** Yields in batches the rows that get no message, each with the reason. */
export async function* rejectedRows(
	sql: Sql,
	accountId: AccountId,
	{ file, ...rules }: { file: AudienceFile } & LeavingOut,
): AsyncGenerator<{ row: number; cells: string[]; reason: string }[]> {
	for await (const rows of file.rows([])) {
		const numbers = rows.flatMap(({ recipient }) => recipient?.number ?? [])
		const out = await findLeftOut(sql, accountId, { ...rules, numbers })
		yield rows.flatMap((read) => {
			const reason = reasonOf(read, out)
			return reason === null ? [] : { row: read.row, cells: read.cells, reason }
		})
	}
}
