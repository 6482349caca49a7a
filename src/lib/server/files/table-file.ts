import { createReadStream } from 'node:fs'
import { openCsv, type Table } from '#lib/csv-table.ts'
import { isWorkbookName } from '#lib/workbook-files.ts'
import { createRest } from '../cooperative-yield.ts'
import type { UploadedFile } from '../http/uploads.ts'
import { spreadsheetToCsv } from './spreadsheet/spreadsheet.ts'

/** Opens an uploaded CSV or Excel file; of the latter, its first sheet that is not empty, as CSV. */
export async function openTable({ path, filename }: Pick<UploadedFile, 'path' | 'filename'>): Promise<Table> {
	if (!isWorkbookName(filename)) return openCsv(() => bytesOf(path))
	const csv = await spreadsheetToCsv(path)
	return openCsv(() => bytesOf(csv), ',')
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
