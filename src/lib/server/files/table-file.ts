import { createReadStream } from 'node:fs'
import { openCsv, type Table } from '#lib/csv-table.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import { createRest } from '../cooperative-yield.ts'
import type { UploadedFile } from '../http/uploads.ts'
import type { Hidden } from './spreadsheet/limits.ts'
import { spreadsheetToCsv } from './spreadsheet/spreadsheet.ts'

/**
 * Opens an uploaded CSV or Excel file; of the latter, its first sheet that is not empty, as CSV, with its hidden rows and columns
 * only where that is asked for. Returns how many there are of these.
 */
export async function openTable(
	{ path, filename }: Pick<UploadedFile, 'path' | 'filename'>,
	{ withHidden = false }: { withHidden?: boolean | undefined } = {},
): Promise<{ table: Table; hidden: Hidden }> {
	if (!isWorkbookName(filename)) return { table: await openCsv(() => bytesOf(path)), hidden: { rows: 0, columns: 0 } }
	const { csv, hidden } = await spreadsheetToCsv(path, { withHidden })
	return { table: await openCsv(() => bytesOf(csv), ','), hidden }
}

/** Small, as what is made of a piece is freed late, and nobody else is served while one is worked on. */
const CHUNK_BYTES = 16 * 1024

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
	const pause = createRest()
	for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
		yield bytes
		await pause()
	}
}
