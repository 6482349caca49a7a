import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AppError, reviveProblem } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import { DEFAULT_LIMITS, type Hidden, type Outcome, type Reading, type SpreadsheetLimits } from './limits.ts'

/** Limits that end the process that reads a file. */
interface ProcessLimits extends SpreadsheetLimits {
	memoryMb: number
	timeMs: number
}

const DEFAULTS: ProcessLimits = { ...DEFAULT_LIMITS, memoryMb: 512, timeMs: 60_000 }

/**
 * Writes the first sheet of an .xlsx file that is not empty as CSV next to it, and returns the CSV's path. Empty rows
 * keep their place; hidden rows and columns are empty without `withHidden`. Throws a 400 for a file that is no workbook
 * or exceeds a limit. Reads in a separate process: a thread that runs out of memory can end its whole process.
 */
export async function spreadsheetToCsv(
	path: string | undefined,
	given: Partial<ProcessLimits> & Reading = {},
): Promise<{ csv: string; hidden: Hidden }> {
	if (!path) throw problem('workbook_missing')
	await takeTurn()
	try {
		return await runProcess(await realpath(path), { ...DEFAULTS, ...given })
	} finally {
		const next = waiting.shift()
		if (next) next()
		else reading--
	}
}

/** Workbooks read concurrently, which bounds memory and processor time. */
const MAX_AT_ONCE = 2
let reading = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
	if (reading < MAX_AT_ONCE) reading++
	else await new Promise<void>((start) => waiting.push(start))
}

const PROGRAM = fileURLToPath(new URL('process.ts', import.meta.url))

/**
 * Runs the reading process, which may write only the CSV, has no network and an empty environment. Throws the refusal
 * that the process returns or that its failure means.
 */
async function runProcess(
	path: string,
	{ memoryMb, timeMs, ...limits }: ProcessLimits & Reading,
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
		(error: ProcessError) => ({ refusal: refusalOf(error) }),
	)
	if ('refusal' in outcome) throw reviveProblem(outcome.refusal)
	return { csv, hidden: outcome.hidden }
}

/** Priority of the reading process (nice value): below requests, yet high enough on a busy machine. */
const NICENESS = 5

/** Lowers the process's priority. Where a system call filter forbids it, the file is read at normal priority. */
function yieldToOthers(pid: number | undefined): void {
	try {
		if (pid !== undefined) os.setPriority(pid, NICENESS)
	} catch {
		// Continues at normal priority.
	}
}

type ProcessError = Error & { killed?: boolean; signal?: string | null; code?: number | string }

/**
 * Returns the refusal for a process that failed. Out of memory ends it by SIGABRT or SIGKILL, on Windows by an exit
 * code.
 */
function refusalOf(error: ProcessError): AppError {
	if (typeof error.code === 'string') throw error
	if (error.killed) return problem('workbook_too_slow')
	return problem(error.signal || (error.code ?? 0) >= 128 ? 'workbook_too_large' : 'workbook_unreadable')
}
