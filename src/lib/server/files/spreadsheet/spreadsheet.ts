import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AppError } from '#lib/server/errors.ts'
import { DEFAULT_LIMITS, TOO_LARGE, UNREADABLE, type Hidden, type Outcome, type SpreadsheetLimits } from './limits.ts'

/** What ends the process that reads a file, whatever the file holds. */
interface ProcessLimits extends SpreadsheetLimits {
	memoryMb: number
	timeMs: number
}

const DEFAULTS: ProcessLimits = { ...DEFAULT_LIMITS, memoryMb: 512, timeMs: 60_000 }
const TOO_SLOW = 'This Excel file takes too long to read: save it as .csv instead'

/**
 * Writes the first sheet of an .xlsx file that is not empty as CSV beside it, and returns the path of that; empty rows keep their place, and
 * hidden rows and columns are empty unless `withHidden`. A
 * file that is no workbook or exceeds a limit is refused with a 400. It is read in a process of its own: a thread that
 * runs out of memory may take its whole process along.
 */
export async function spreadsheetToCsv(
	path: string | undefined,
	{ withHidden = false, ...given }: Partial<ProcessLimits> & { withHidden?: boolean | undefined } = {},
): Promise<{ csv: string; hidden: Hidden }> {
	if (!path) throw new AppError(400, 'Please select an Excel file')
	await takeTurn()
	try {
		return await runProcess(await realpath(path), { ...DEFAULTS, ...given, withHidden })
	} finally {
		const next = waiting.shift()
		if (next) next()
		else reading--
	}
}

/** So that many files at once leave memory and processors to everybody else. */
const MAX_AT_ONCE = 2
let reading = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
	if (reading < MAX_AT_ONCE) reading++
	else await new Promise<void>((start) => waiting.push(start))
}

const PROGRAM = fileURLToPath(new URL('process.ts', import.meta.url))

/** The process may write the CSV and nothing else, reaches no network, and gets none of the environment. */
async function runProcess(
	path: string,
	{ memoryMb, timeMs, ...limits }: ProcessLimits & { withHidden: boolean },
): Promise<{ csv: string; hidden: Hidden }> {
	const csv = `${path}.csv`
	const options = [`--max-old-space-size=${memoryMb}`, '--permission', '--allow-fs-read=*', `--allow-fs-write=${csv}`]
	const running = promisify(execFile)(process.execPath, [...options, PROGRAM, path, csv, JSON.stringify(limits)], {
		timeout: timeMs,
		killSignal: 'SIGKILL',
		env: {},
		windowsHide: true,
	})
	yieldToOthers(running.child.pid)
	const outcome = await running.then(
		({ stdout }) => JSON.parse(stdout) as Outcome,
		(error: ProcessError) => ({ refusal: messageOf(error) }),
	)
	if ('refusal' in outcome) throw new AppError(400, outcome.refusal)
	return { csv, hidden: outcome.hidden }
}

/** Other people's requests come first, but a file is still read in time on a busy machine. */
const NICENESS = 5

/** Where the system forbids it, as a filter of system calls may, the file is read all the same. */
function yieldToOthers(pid: number | undefined): void {
	try {
		if (pid !== undefined) os.setPriority(pid, NICENESS)
	} catch {
		// Nothing is lost but the order.
	}
}

type ProcessError = Error & { killed?: boolean; signal?: string | null; code?: number | string }

/** Running out of memory ends a process by SIGABRT, or by the system's SIGKILL; on Windows by an exit code. */
function messageOf(error: ProcessError): string {
	if (typeof error.code === 'string') throw error
	if (error.killed) return TOO_SLOW
	return error.signal || (error.code ?? 0) >= 128 ? TOO_LARGE : UNREADABLE
}
