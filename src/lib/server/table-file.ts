import { createReadStream } from 'node:fs'
import Papa from 'papaparse'
import { fileErrorOf, GUESSING, OLD_EXCEL, separatorOf, utf16Of, withPlainLines } from '../csv-text.ts'
import { isWorkbookName } from '../workbook-files.ts'
import { AppError } from './errors.ts'
import { createRest } from './rest.ts'
import { spreadsheetToCsv } from './spreadsheet/spreadsheet.ts'
import type { UploadedFile } from './uploads.ts'

/** A table in an uploaded file. */
export interface TableFile {
	/** Its rows in their order, some at a time, empty ones included; each is as wide as it stands in the file. */
	rows(): AsyncGenerator<string[][]>
}

/**
 * Opens an uploaded CSV or Excel file; of the latter, its first sheet as CSV. It is read piece by piece, each time anew, so
 * that it takes the same memory whatever its size and nobody else's request waits for it.
 */
export async function openTable(file: Pick<UploadedFile, 'path' | 'filename'>): Promise<TableFile> {
	if (!isWorkbookName(file.filename)) return { rows: () => readCsv(file.path) }
	const csv = await spreadsheetToCsv(file.path)
	return { rows: () => readCsv(csv, ',') }
}

/** Small, as what is made of a piece is freed late, and nobody else is served while one is worked on. */
const CHUNK_BYTES = 16 * 1024
/** A quote that is never closed makes one cell of all that follows. */
const MAX_ROW_LENGTH = 1024 * 1024

/** Without `known`, the separator is found by the first rows. */
async function* readCsv(path: string, known?: string): AsyncGenerator<string[][]> {
	let rest = ''
	let row = 0
	let parser = known === undefined ? undefined : parserFor(known)
	const take = (text: string, isLast: boolean): string[][] => {
		rest += text
		if (!parser) {
			const { body, delimiter } = separatorOf(rest)
			// The line that names the separator is a row of the file, too.
			const named: string[][] = body === rest ? [] : [[]]
			parser = parserFor(delimiter || Papa.parse(body, GUESSING).meta.delimiter || ',')
			rest = body
			return [...named, ...take('', isLast)]
		}
		const { data, cursor, isUnclosed } = parser.parse(rest, !isLast)
		row += data.length
		rest = isLast ? '' : rest.slice(cursor)
		if (isUnclosed || rest.length > MAX_ROW_LENGTH)
			throw new AppError(400, `A quote that opens in row ${isLast ? row : row + 1} is never closed`)
		return data
	}
	const pause = createRest()
	for await (const text of textOf(path)) {
		const rows = take(text, false)
		if (rows.length > 0) yield rows
		await pause()
	}
	const last = take('', true)
	if (last.length > 0) yield last
}

interface Parsed {
	data: string[][]
	/** Where the last row begins that may go on. */
	cursor: number
	isUnclosed: boolean
}

function parserFor(delimiter: string) {
	return {
		parse(text: string, ignoreLastRow: boolean): Parsed {
			if (text === '') return { data: [], cursor: 0, isUnclosed: false }
			const { data, errors, meta } = new Papa.Parser({ delimiter, newline: '\n' }).parse(
				text,
				0,
				ignoreLastRow,
			) as Papa.ParseResult<string[]>
			const isUnclosed = !ignoreLastRow && errors.some(({ code }) => code === 'MissingQuotes')
			return { data, cursor: meta.cursor, isUnclosed }
		},
	}
}

/** The file's text with LF line ends. The file is read once before to detect its encoding. */
async function* textOf(path: string): AsyncGenerator<string> {
	const decoder = new TextDecoder(await encodingOf(path))
	let isFirst = true
	let carried = ''
	for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
		const text = carried + decoder.decode(bytes, { stream: true })
		// A CR LF may be cut in the middle.
		carried = text.endsWith('\r') ? '\r' : ''
		yield plain(text.slice(0, text.length - carried.length), isFirst)
		isFirst = false
	}
	yield plain(carried + decoder.decode(), isFirst)
}

/** Only the beginning of a file has a mark to leave out. */
function plain(text: string, isFirst: boolean): string {
	return isFirst ? withPlainLines(text) : withPlainLines(`\n${text}`).slice(1)
}

async function encodingOf(path: string): Promise<string> {
	const utf8 = new TextDecoder('utf-8', { fatal: true })
	let isFirst = true
	for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
		if (isFirst) {
			const error = fileErrorOf(bytes)
			if (error) throw new AppError(400, error)
			const utf16 = utf16Of(bytes)
			if (utf16) return utf16
			isFirst = false
		}
		try {
			utf8.decode(bytes, { stream: true })
		} catch {
			return OLD_EXCEL
		}
	}
	if (isFirst) throw new AppError(400, 'This file is empty')
	try {
		utf8.decode()
		return 'utf-8'
	} catch {
		return OLD_EXCEL
	}
}
