import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { openCsv, type Table } from '#lib/files/csv-table.ts'
import { isWorkbookName } from '#lib/files/workbook-files.ts'
import { createRest } from '../cooperative-yield.ts'
import type { UploadedFile } from '../http/body/uploads.ts'
import type { Hidden, Reading, SpreadsheetLimits } from './spreadsheet/limits.ts'
import { spreadsheetToCsv } from './spreadsheet/spreadsheet.ts'

interface Opening extends Reading {
	/** By default the file's name decides. */
	isWorkbook?: boolean
	/** Limits of a workbook; DEFAULT_LIMITS where absent. */
	limits?: Partial<SpreadsheetLimits>
}

/** Opens an uploaded CSV or Excel file as CSV. Returns the number of hidden rows and columns of a workbook. */
export async function openTable(
	{ path, filename }: Pick<UploadedFile, 'path' | 'filename'>,
	{ isWorkbook = isWorkbookName(filename), limits = {}, ...reading }: Opening = {},
): Promise<{ table: Table; hidden: Hidden }> {
	if (!isWorkbook) return { table: await openCsv(() => bytesOf(path)), hidden: { rows: 0, columns: 0 } }
	const { csv, hidden } = await spreadsheetToCsv(path, { ...limits, ...reading })
	return { table: await openCsv(() => bytesOf(csv), ','), hidden }
}

/** Returns true for a file that begins as a zip file does, such as a workbook under any name. */
export async function isZip(path: string): Promise<boolean> {
	await using file = await open(path)
	const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
	return bytesRead === 2 && buffer.toString('latin1') === 'PK'
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
