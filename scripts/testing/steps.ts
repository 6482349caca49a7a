import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { styleText } from 'node:util'
import { createQueue, type Queue } from './queue.ts'
import { COUNTS_PREFIX, PROGRESS } from './reporter.ts'

export interface Counts {
	passed: number
	failed: number
}

export interface Step {
	name: string
	args: string[]
	env?: Record<string, string>
	/** True to print the last line of the output even if the step passes. */
	hasNote?: boolean
}

const MAX_SHOWN_LINES = 400
// Environment of each test process. Without the compile cache, each process would strip the types of the whole product again.
export const TEST_VARIABLES = { NODE_COMPILE_CACHE: 'node_modules/.cache/node' }
export const TEST_FLAGS = [
	`--import=${new URL('../../test/preload/fail-on-console.ts', import.meta.url).href}`,
	`--import=${new URL('../../test/preload/cheap-passwords.ts', import.meta.url).href}`,
	// This timeout is shorter than MAX_SILENT_MS, so that the report names a test that hangs.
	'--test-timeout=450000',
]
const children = new Set<ReturnType<typeof spawn>>()

/** Limits of a step. A step that exceeds one is ended, and the processes that still run are named. */
export interface Limits {
	/** Maximum time. */
	maxMs?: number
	/** Maximum time between two outputs; by default unlimited, because checks print at their end. */
	maxSilentMs?: number
}

/** Maximum time of a step, and of a file that runs in turn with others. */
export const MAX_STEP_MS = 40 * 60_000
/** Variable with the paths of the files that run in turn, separated by commas. */
export const FILES_VARIABLE = 'TEST_FILES'
const IN_TURN = 'scripts/testing/in-turn.ts'
/** Maximum time between the ends of two tests of a process: more than a test may take, and the start of a file. */
const MAX_SILENT_MS = 8 * 60_000
/** Time after the end of a process in which its children may close its output. */
const CLOSE_MS = 5000

/** Runs a script with this Node in a process group of its own. Returns its output. */
export function run(
	{ args, env }: Omit<Step, 'name'>,
	{ maxMs = MAX_STEP_MS, maxSilentMs = maxMs }: Limits = {},
): Promise<{ ok: boolean; output: string }> {
	return new Promise((resolve) => {
		const child = spawn(process.execPath, args, {
			env: { ...process.env, ...TEST_VARIABLES, FORCE_COLOR: '0', ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: true,
		})
		children.add(child)
		let output = ''
		const end = (reason: string) => {
			output += `\n${reason} Still running:\n${runningIn(child.pid ?? 0)}\n`
			endGroup(child, 'SIGKILL')
		}
		const limit = setTimeout(() => end(`Not finished after ${maxMs / 1000} s.`), maxMs)
		const silence = setTimeout(() => end(`No progress for ${maxSilentMs / 1000} s.`), maxSilentMs)
		for (const stream of [child.stdout, child.stderr])
			stream?.on('data', (text: Buffer) => {
				output += text.toString()
				silence.refresh()
			})
		const finish = (code: number | null) => {
			children.delete(child)
			clearTimeout(limit)
			clearTimeout(silence)
			resolve({ ok: code === 0, output: output.replaceAll(PROGRESS, '') })
		}
		child.on('close', finish)
		// A browser that outlives the process would keep its output open.
		child.on('exit', (code) => {
			clearTimeout(silence)
			setTimeout(finish, CLOSE_MS, code).unref()
		})
	})
}

/** Runs a check, which counts as one test. */
export async function runCheck(step: Step): Promise<Counts> {
	const started = Date.now()
	const { ok, output } = await run(step)
	const counts = ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
	const note = (step.hasNote && ok && output.trimEnd().split('\n').at(-1)) || ''
	return report({ name: step.name, started, counts, output, note })
}

export interface TestOptions {
	flags?: string[]
	env?: Record<string, string>
	/**
	 * Files that share a process, which loads the product once for all of them; by default Node's runner starts one for each.
	 */
	filesPerProcess?: number
	/** True to load each file of a process after the end of the one before. Files of tests that start a product need it. */
	isInTurn?: boolean
	/** Queue of the processes with several files; by default one of this run alone. */
	queue?: Queue
	/** True to run before everything that waits in the queue. */
	isFirst?: boolean
}

/** Creates a queue for processes that need a processor: as many at a time as there are processors, and one more. */
export function createProcessorQueue(): Queue {
	return createQueue(availableParallelism() + 1)
}

/** Runs `node --test` on the files. A run without tests counts as failed. */
export async function runTests(name: string, files: string[], options: TestOptions = {}): Promise<Counts> {
	const started = Date.now()
	const runs = await runGroups(files, options)
	const counts = { passed: sumOf(runs, 'passed'), failed: sumOf(runs, 'failed') }
	const skipped = sumOf(runs, 'skipped')
	const note = `${counts.passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`
	const output = runs.map((each) => each.output).filter((text) => text.trim() !== '')
	return report({ name, started, counts, output: output.join('\n') || 'No test ran.', note })
}

interface TestRun extends Counts {
	skipped: number
	output: string
}

/**
 * Counts of a run as Node's runner has them. `groups` is the number of counted entries that the reporter does not count as
 * tests.
 */
interface NodeCounts extends Counts {
	cancelled: number
	skipped: number
	groups: Counts
}

async function runGroups(files: string[], options: TestOptions): Promise<TestRun[]> {
	const { flags = [], env = {}, filesPerProcess, isInTurn, queue = createProcessorQueue(), isFirst } = options
	if (filesPerProcess === undefined) return [await runGroup(files, { flags, env })]
	const groups = Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (_, index) =>
		files.slice(index * filesPerProcess, (index + 1) * filesPerProcess),
	)
	// A connection or a browser that a file leaves open would keep the process, and so the run, from ending.
	const shared = { flags: [...flags, '--test-isolation=none', '--test-force-exit'], env }
	const inTurn = (group: string[]) =>
		runGroup([IN_TURN], { ...shared, env: { ...env, [FILES_VARIABLE]: group.join() } })
	return queue.run(
		groups.map((group) => () => (isInTurn ? inTurn(group) : runGroup(group, shared))),
		{ isFirst },
	)
}

async function runGroup(
	files: string[],
	{ flags, env }: Required<Pick<TestOptions, 'flags' | 'env'>>,
): Promise<TestRun> {
	const reporter = new URL('reporter.ts', import.meta.url).href
	const args = ['--test', `--test-reporter=${reporter}`, ...TEST_FLAGS, ...flags, ...files]
	const { ok, output } = await run({ args, env }, { maxSilentMs: MAX_SILENT_MS })
	const line = output.split('\n').findLast((text) => text.startsWith(COUNTS_PREFIX))
	const found = line && (JSON.parse(line.slice(COUNTS_PREFIX.length)) as NodeCounts)
	const counts = found
		? {
				passed: found.passed - found.groups.passed,
				failed: found.failed + found.cancelled - found.groups.failed,
				skipped: found.skipped,
			}
		: { passed: 0, failed: 0, skipped: 0 }
	if (counts.failed === 0 && (!ok || counts.passed === 0)) counts.failed = 1
	const shown = output.split('\n').filter((text) => text !== line)
	return { ...counts, output: shown.join('\n') }
}

function sumOf(runs: TestRun[], count: 'passed' | 'failed' | 'skipped'): number {
	return runs.reduce((sum, each) => sum + each[count], 0)
}

/** Reports a step that could not be started as failed. */
export function failStep(name: string, reason: string): Counts {
	return report({ name, started: Date.now(), counts: { passed: 0, failed: 1 }, output: reason })
}

/** Runs the steps, at most `concurrency` at a time. */
export function runChecks(steps: Step[], concurrency: number): Promise<Counts[]> {
	return createQueue(concurrency).run(steps.map((step) => () => runCheck(step)))
}

export function stopSteps() {
	for (const child of children) endGroup(child, 'SIGTERM')
}

function endGroup({ pid }: ReturnType<typeof spawn>, signal: NodeJS.Signals) {
	try {
		if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, signal)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
	}
}

/** Returns the commands of a process group: of a test run, the runner and the files that have not ended. */
function runningIn(group: number): string {
	const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,args='], { encoding: 'utf8' })
	const own = (stdout ?? '').split('\n').filter((line) => Number.parseInt(line, 10) === group)
	return own.join('\n') || '(not known on this system)'
}

interface StepResult {
	name: string
	started: number
	counts: Counts
	output: string
	note?: string
}

function report({ name, started, counts, output, note }: StepResult): Counts {
	const mark = counts.failed > 0 ? styleText('red', '✗') : styleText('green', '✓')
	const seconds = ((Date.now() - started) / 1000).toFixed(1)
	console.log(`${mark} ${name.padEnd(16)} ${seconds.padStart(6)} s${note ? `   ${note}` : ''}`)
	if (counts.failed > 0) {
		const lines = output.trimEnd().split('\n')
		const hidden = lines.length - MAX_SHOWN_LINES
		console.log(lines.slice(0, MAX_SHOWN_LINES).join('\n').replaceAll(/^/gm, '    '))
		if (hidden > 0) console.log(`    … ${hidden} more lines`)
	}
	return counts
}
