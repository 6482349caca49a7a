import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'
import { UNREADABLE } from './spreadsheet-zip.ts'

/** Limits of an uploaded spreadsheet; one that exceeds them is refused with a 400. */
export interface SpreadsheetLimits {
	rows: number
	/** Of all parts of the file when unpacked: a small file can unpack to any size. */
	unpackedBytes: number
	memoryMb: number
	timeMs: number
}

const DEFAULTS: SpreadsheetLimits = {
	rows: 200_000,
	unpackedBytes: 300 * 1024 * 1024,
	memoryMb: 512,
	timeMs: 60_000,
}

/** From the worker: some rows, or why there are no more. */
export type SpreadsheetMessage = { rows: string[][] } | { refused: string } | { done: true }

/**
 * The first sheet of an .xlsx file as texts, row by row; empty rows keep their place. It is read in a thread of its own,
 * with a limit to its memory and time, so that no file takes the server down.
 */
export async function readSpreadsheet(
	path: string | undefined,
	given: Partial<SpreadsheetLimits> = {},
): Promise<string[][]> {
	if (!path) throw new AppError(400, 'Please select an Excel file')
	await takeTurn()
	try {
		return await readInWorker(path, { ...DEFAULTS, ...given })
	} finally {
		const next = waiting.shift()
		if (next) next()
		else reading--
	}
}

/** A small file may unpack to `unpackedBytes`, several times over while it is read, and not all in the heap that `memoryMb` limits. */
const MAX_AT_ONCE = 2
let reading = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
	if (reading < MAX_AT_ONCE) reading++
	else await new Promise<void>((start) => waiting.push(start))
}

async function readInWorker(path: string, limits: SpreadsheetLimits): Promise<string[][]> {
	const worker = new Worker(new URL('spreadsheet-worker.ts', import.meta.url), {
		workerData: { path, limits },
		resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
		stdout: true,
		stderr: true,
	})
	const timer = setTimeout(() => void worker.terminate(), limits.timeMs)
	try {
		return await collect(worker)
	} finally {
		clearTimeout(timer)
		await worker.terminate()
	}
}

function collect(worker: Worker): Promise<string[][]> {
	const rows: string[][] = []
	return new Promise((resolve, reject) => {
		worker.on('message', (message: SpreadsheetMessage) => {
			if ('rows' in message) for (const row of message.rows) rows.push(row)
			else if ('refused' in message) reject(new AppError(400, message.refused))
			else resolve(rows)
		})
		worker.on('error', (error: NodeJS.ErrnoException) => {
			const isTooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
			reject(new AppError(400, isTooMuch ? 'This Excel file is too large: save it as .csv instead' : UNREADABLE))
		})
		worker.on('exit', () => reject(new AppError(400, UNREADABLE)))
	})
}
