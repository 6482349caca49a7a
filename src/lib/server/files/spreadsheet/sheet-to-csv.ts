import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { AppError } from '#lib/app-error.ts'
import { CSV_START, csvLine } from '#lib/files/csv.ts'
import { problem } from '#lib/problems.ts'
import { createRowCounter, type Hidden, type Reading, type SpreadsheetLimits } from './limits.ts'
import { openParts } from './parts.ts'
import { readSheet, type Sheet } from './sheet.ts'
import { readWorkbook } from './workbook.ts'

const CHUNK_CHARACTERS = 65_536

/**
 * Writes the first sheet of a workbook that is not empty to `csvPath`. Throws a 400 for a file that is no workbook or exceeds
 * a limit. Does not limit the memory: use `spreadsheetToCsv` for files of users.
 */
export async function sheetToCsv(path: string, csvPath: string, options: SpreadsheetLimits & Reading): Promise<Hidden> {
	try {
		return await convert(path, csvPath, options)
	} catch (error) {
		// The parsers of zip and XML throw their own errors.
		throw error instanceof AppError ? error : problem('workbook_unreadable')
	}
}

async function convert(
	path: string,
	csvPath: string,
	{ withHidden = false, rawNumbers, sheet: firstSheet, ...limits }: SpreadsheetLimits & Reading,
): Promise<Hidden> {
	if (isCompound(path)) throw problem('workbook_protected')
	const parts = await openParts(path, limits.unpackedBytes)
	const workbook = await readWorkbook(parts, limits, firstSheet)
	if (rawNumbers) workbook.formats = []
	const count = createRowCounter(limits)
	const csv = openSync(csvPath, 'w', 0o600)
	try {
		let last = 0
		let text = CSV_START
		const take = (row: number, cells: string[]) => {
			count(cells)
			// Missing row numbers become empty rows.
			text += '\r\n'.repeat(row - last - 1) + csvLine(cells)
			last = row
			if (text.length < CHUNK_CHARACTERS) return
			writeSync(csv, text)
			text = ''
		}
		const read: Sheet[] = []
		for (const part of workbook.sheets) {
			const sheet = await readSheet(parts, { sheet: part, workbook, withHidden }, take)
			if (sheet) read.push(sheet)
			if (last > 0) break
		}
		if (read.length === 0) throw problem('workbook_unreadable')
		writeSync(csv, text)
		const hidden = read.at(-1)?.hidden ?? { rows: 0, columns: 0 }
		const hasMore =
			workbook.hasHidden || read.some((sheet) => sheet.hasOthers || sheet.hidden.rows + sheet.hidden.columns > 0)
		if (last === 0) throw problem(hasMore ? 'workbook_shows_nothing' : 'workbook_empty')
		return hidden
	} finally {
		closeSync(csv)
	}
}

/** Detects compound files: Excel files from before 2007 and files with a password. */
function isCompound(path: string): boolean {
	const start = Buffer.alloc(4)
	const file = openSync(path, 'r')
	readSync(file, start)
	closeSync(file)
	return start.readUInt32BE() === 0xd0_cf_11_e0
}
