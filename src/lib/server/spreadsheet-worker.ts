import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows, type CellValue } from 'hucre/xlsx'
import { formatCount } from '#lib/numbers.ts'
import { checkUnpacked } from './spreadsheet-zip.ts'
import type { SpreadsheetLimits, SpreadsheetMessage } from './spreadsheet.ts'

const { path, limits } = workerData as { path: string; limits: SpreadsheetLimits }
/** Columns A to CV: a row that goes on to the last of Excel's 16,384 would only fill the memory. */
const RANGE = 'A1:CV1048576'
const BATCH_SIZE = 1000
/** Excel's own limit. */
const MAX_CELL_LENGTH = 32_767
const TOO_LONG = `A cell of this Excel file has more than ${formatCount(MAX_CELL_LENGTH)} characters: shorten it and try again`

function post(message: SpreadsheetMessage): void {
	// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
	parentPort?.postMessage(message)
}

async function read(): Promise<void> {
	const bytes = readFileSync(path)
	const refused = checkUnpacked(bytes, limits.unpackedBytes)
	if (refused) return post({ refused })
	let batch: string[][] = []
	let next = 0
	for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0, range: RANGE })) {
		if (index + 1 > limits.rows) {
			const most = formatCount(limits.rows)
			return post({ refused: `An Excel file may have at most ${most} rows: save it as .csv instead` })
		}
		// Rows that are missing between two were empty.
		for (; next < index; next++) batch.push([])
		const cells = withoutEnd(values.map(textOf))
		if (cells.some((cell) => cell.length > MAX_CELL_LENGTH)) return post({ refused: TOO_LONG })
		batch.push(cells)
		next = index + 1
		if (batch.length < BATCH_SIZE) continue
		post({ rows: batch })
		batch = []
	}
	if (next === 0) return post({ refused: 'The first sheet of this Excel file is empty' })
	post({ rows: batch })
	post({ done: true })
}

/** Every row comes as wide as the range. */
function withoutEnd(cells: string[]): string[] {
	return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

function textOf(value: CellValue): string {
	if (value === null || value === undefined) return ''
	if (value instanceof Date) return value.toISOString().slice(0, 10)
	if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString()
	return typeof value === 'object' ? '' : String(value)
}

await read()
