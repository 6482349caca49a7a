import { createReadStream } from 'node:fs'
import { openCsv, type Table } from '#lib/csv-table.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import { createRest } from '../cooperative-yield.ts'
import type { UploadedFile } from '../http/uploads.ts'
import type { Hidden } from './spreadsheet/limits.ts'
import { spreadsheetToCsv } from './spreadsheet/spreadsheet.ts'

/**
 * Opens an uploaded CSV or Excel file as CSV; of a workbook, the first sheet that is not empty. Includes hidden rows
 * and columns only when asked, and returns their number.
 */
export async function openTable(
	{ path, filename }: Pick<UploadedFile, 'path' | 'filename'>,
	{ withHidden = false }: { withHidden?: boolean | undefined } = {},
): Promise<{ table: Table; hidden: Hidden }> {
	if (!isWorkbookName(filename)) return { table: await openCsv(() => bytesOf(path)), hidden: { rows: 0, columns: 0 } }
	const { csv, hidden } = await spreadsheetToCsv(path, { withHidden })
	return { table: await openCsv(() => bytesOf(csv), ','), hidden }
}

/** Bytes per chunk. Small, since parsing a chunk blocks the event loop and its memory is freed late. */
const CHUNK_BYTES = 16 * 1024

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
	const pause = createRest()
	for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
		yield bytes
		await pause()
	}
}
