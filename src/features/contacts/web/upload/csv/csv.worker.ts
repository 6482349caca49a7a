import { fileErrorOf, readText } from '#lib/csv-text.ts'
import { CsvError } from './csv-error.ts'
import type { Ask, Answer, Summary } from './csv-messages.ts'
import { readCsv, type Csv } from './csv-read.ts'
import { errorReport } from './csv-report.ts'

// A file is read here, beside the page, which stays quick meanwhile. The rows stay here too, and are asked for in pieces.
const MAX_FILE_BYTES = 200 * 1024 * 1024
let text = ''
let csv: Csv | undefined

addEventListener('message', (event: MessageEvent<Ask>) => void answer(event.data))

async function answer(ask: Ask): Promise<void> {
	try {
		reply(await handle(ask))
	} catch (error) {
		reply({ id: ask.id, kind: 'failed', message: error instanceof CsvError ? error.message : '' })
	}
}

async function handle(ask: Ask): Promise<Answer> {
	const { id } = ask
	if (ask.kind === 'open') {
		if (ask.file.size > MAX_FILE_BYTES) throw new CsvError('This file is larger than 200 MB: split it into several')
		const bytes = new Uint8Array(await ask.file.arrayBuffer())
		const error = fileErrorOf(bytes)
		if (error) throw new CsvError(error)
		text = readText(bytes)
		csv = readCsv(text)
		return { id, kind: 'read', summary: summaryOf(csv) }
	}
	if (ask.kind === 'map') {
		csv = readCsv(text, ask.columns)
		return { id, kind: 'read', summary: summaryOf(csv) }
	}
	const { sendable = [], left = [] } = csv?.sorted ?? {}
	if (ask.kind === 'take') return { id, kind: 'rows', rows: sendable.slice(ask.from, ask.from + ask.count) }
	const report = errorReport(sendable, left, ask.rejected)
	return { id, kind: 'report', file: new File([report], 'contacts-errors.csv', { type: 'text/csv' }) }
}

function summaryOf({ header, columns, sorted: { sendable, counts, preview } }: Csv): Summary {
	return { header, columns, counts, preview, total: sendable.length }
}

function reply(message: Answer): void {
	postMessage(message)
}
