// Entry point of the process that reads a workbook: writes the first sheet that is not empty as CSV, and an Outcome to
// stdout.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { AppError } from '#lib/app-error.ts'
import { CSV_START, csvLine } from '#lib/files/csv.ts'
import { problem } from '#lib/problems.ts'
import { createRowCounter, type Hidden, type Outcome, type Reading, type SpreadsheetLimits } from './limits.ts'
import { openParts } from './parts.ts'
import { readSheet, type Sheet } from './sheet.ts'
import { readWorkbook } from './workbook.ts'

const [path = '', csvPath = '', given = ''] = process.argv.slice(2)
const {
	withHidden = false,
	rawNumbers,
	sheet: firstSheet,
	...limits
} = JSON.parse(given) as SpreadsheetLimits & Reading
const CHUNK_CHARACTERS = 65_536

async function convert(): Promise<Hidden> {
	if (isCompound()) throw problem('workbook_protected')
	const parts = await openParts(path, limits.unpackedBytes)
	const workbook = await readWorkbook(parts, limits, firstSheet)
	if (rawNumbers) workbook.formats = []
	const count = createRowCounter(limits)
	const csv = openSync(csvPath, 'w', 0o600)
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
	closeSync(csv)
	const hidden = read.at(-1)?.hidden ?? { rows: 0, columns: 0 }
	const hasMore =
		workbook.hasHidden || read.some((sheet) => sheet.hasOthers || sheet.hidden.rows + sheet.hidden.columns > 0)
	if (last === 0) throw problem(hasMore ? 'workbook_shows_nothing' : 'workbook_empty')
	return hidden
}

/** Detects compound files: Excel files from before 2007 and files with a password. */
function isCompound(): boolean {
	const start = Buffer.alloc(4)
	const file = openSync(path, 'r')
	readSync(file, start)
	closeSync(file)
	return start.readUInt32BE() === 0xd0_cf_11_e0
}

function write(outcome: Outcome): void {
	process.stdout.write(JSON.stringify(outcome))
}

try {
	write({ hidden: await convert() })
} catch (error) {
	if (!(error instanceof AppError)) throw error
	write({ refusal: error })
}
