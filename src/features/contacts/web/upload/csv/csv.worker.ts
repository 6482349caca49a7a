import { openCsv, type Table } from '#lib/csv-table.ts'
import { FileError } from '#lib/csv-text.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import { readContacts, type ContactsFile } from './contacts-file.ts'
import type { Ask, Answer } from './csv-messages.ts'
import { errorReport } from './csv-report.ts'

// A file is read here, beside the page, which stays quick meanwhile. The rows stay here too, and are asked for in pieces.
const MAX_FILE_BYTES = 200 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
let table: Table = { rows: async function* () {} }
let contacts: ContactsFile | undefined

/** One question after the other: reading a file takes a while. */
let last = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<Ask>) => {
	last = last.then(() => answer(data))
})

async function answer(ask: Ask): Promise<void> {
	try {
		reply(await handle(ask))
	} catch (error) {
		reply({ id: ask.id, kind: 'failed', message: error instanceof FileError ? error.message : '' })
	}
}

async function handle(ask: Ask): Promise<Answer> {
	const { id } = ask
	if (ask.kind === 'open') table = await openFile(ask.file)
	if (ask.kind === 'open' || ask.kind === 'map') {
		contacts = await readContacts(table, ask.kind === 'map' ? ask.columns : undefined)
		const { header, columns, sendable, counts, preview } = contacts
		return { id, kind: 'read', summary: { header, columns, counts, preview, total: sendable.length } }
	}
	const { sendable = [], left = [] } = contacts ?? {}
	if (ask.kind === 'take') return { id, kind: 'rows', rows: sendable.slice(ask.from, ask.from + ask.count) }
	const report = errorReport(sendable, left, ask.rejected)
	return { id, kind: 'report', file: new File([report], 'contacts-errors.csv', { type: 'text/csv' }) }
}

async function openFile(file: File): Promise<Table> {
	if (file.size > MAX_FILE_BYTES) throw new FileError('This file is larger than 200 MB: split it into several')
	// What the server makes of a workbook has commas: a guess may take another sign in its cells for what separates them.
	return openCsv(() => bytesOf(file), isWorkbookName(file.name) ? ',' : undefined)
}

async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < file.size; from += CHUNK_BYTES)
		yield new Uint8Array(await file.slice(from, from + CHUNK_BYTES).arrayBuffer())
}

function reply(message: Answer): void {
	postMessage(message)
}
