import type { TypedPerson } from '#features/contacts/people-file.ts'
import { problem } from '#features/contacts/problems.ts'
import { cleanName } from '#features/contacts/rules.ts'
import { AppError } from '#lib/app-error.ts'
import { openCsv, type Table } from '#lib/files/csv-table.ts'
import { isWorkbookName } from '#lib/files/workbook-files.ts'
import { repairNumber } from '#lib/phone/phone-text.ts'
import {
	markKnown,
	readContacts,
	sendableOf,
	unaskedNumbers,
	type ContactRow,
	type ContactsFile,
} from './contacts-file.ts'
import type { Ask, Answer } from './csv-messages.ts'
import { errorReport } from './csv-report.ts'
import { leftOutOf, secondNumbersOf, tilesOf } from './file-summary.ts'

// Reads a file in a worker, so that the page remains responsive. The rows remain here, and the page requests them in
// batches.
const MAX_FILE_MEGABYTES = 200
const BYTES_PER_MEGABYTE = 1024 * 1024
const CHUNK_BYTES = 256 * 1024
let table: Table = { rows: async function* () {} }
let contacts: ContactsFile = {
	header: [],
	columns: { firstName: null, lastName: null, number: null, hasHeader: true },
	rows: [],
	likelyTypes: [],
}
let retained: number[] = []
let sendable: ContactRow[] = []
/** True when rows with unlikely numbers are sent. */
let withUnlikely = false
/** True when rows without a name use their number as the name. */
let namesByNumber = false
const corrected = new Map<number, TypedPerson>()
const known = new Map<string, boolean>()

/** Serializes the requests, because reading a file takes time. */
let last = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<Ask>) => {
	last = last.then(() => answer(data))
})

async function answer(ask: Ask): Promise<void> {
	try {
		reply(await handle(ask))
	} catch (error) {
		reply({ id: ask.id, kind: 'failed', refusal: error instanceof AppError ? error.toJSON() : null })
	}
}

async function handle(ask: Ask): Promise<Answer> {
	const { id } = ask
	if (ask.kind === 'unasked') return { id, kind: 'numbers', numbers: unaskedNumbers(contacts, known, ask.count) ?? [] }
	if (ask.kind === 'take') return { id, kind: 'rows', rows: sendable.slice(ask.from, ask.from + ask.count) }
	if (ask.kind === 'report') {
		const report = errorReport(contacts, ask.rejected, withUnlikely)
		return { id, kind: 'report', file: new File([report], 'contacts-errors.csv', { type: 'text/csv' }) }
	}
	if (ask.kind === 'know') {
		const have = new Set(ask.known)
		for (const [at, number] of ask.numbers.entries()) known.set(number, have.has(at))
		markKnown(contacts, known)
		sendable = sendableOf(contacts, withUnlikely)
	} else if (ask.kind === 'include') {
		withUnlikely = ask.unlikely
		sendable = sendableOf(contacts, withUnlikely)
	} else await read(ask)
	const { header, columns, likelyTypes } = contacts
	const unasked = unaskedNumbers(contacts, known, 1)
	const isChecked = unasked && unasked.length === 0
	const counts = { total: sendable.length, corrected: corrected.size, isChecked, withUnlikely, namesByNumber }
	const summary = {
		header,
		columns,
		likelyTypes,
		...tilesOf(contacts),
		...secondNumbersOf(contacts),
		...leftOutOf(contacts),
		...counts,
	}
	return { id, kind: 'read', summary }
}

async function read(ask: Extract<Ask, { kind: 'open' | 'map' | 'correct' | 'keep' | 'name' }>): Promise<void> {
	if (ask.kind === 'open') {
		table = await openFile(ask.file)
		known.clear()
		withUnlikely = false
		namesByNumber = false
	}
	if (ask.kind === 'name') namesByNumber = ask.byNumber
	if (ask.kind === 'correct') corrected.set(ask.row, plain(ask.typed))
	else if (ask.kind === 'open' || ask.kind === 'map') corrected.clear()
	retained = ask.kind === 'keep' ? ask.places : []
	const chosen = ask.kind === 'open' ? undefined : ask.kind === 'map' ? ask.columns : contacts.columns
	contacts = await readContacts(table, { chosen, corrected, known, retained, namesByNumber })
	sendable = sendableOf(contacts, withUnlikely)
}

/** Cleans a typed row in the same way as a cell of the file. */
function plain({ firstName, lastName, number }: TypedPerson): TypedPerson {
	return { firstName: cleanName(firstName), lastName: cleanName(lastName), number: repairNumber(number.trim()) }
}

async function openFile(file: File): Promise<Table> {
	if (file.size > MAX_FILE_MEGABYTES * BYTES_PER_MEGABYTE)
		throw problem('contacts_file_too_large', { megabytes: MAX_FILE_MEGABYTES })
	// The server's CSV of a workbook is separated by commas; detection might take a sign within the cells for the
	// separator.
	return openCsv(() => bytesOf(file), isWorkbookName(file.name) ? ',' : undefined)
}

async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < file.size; from += CHUNK_BYTES)
		yield new Uint8Array(await file.slice(from, from + CHUNK_BYTES).arrayBuffer())
}

function reply(message: Answer): void {
	postMessage(message)
}
