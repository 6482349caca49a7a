import { availableParallelism } from 'node:os'
import { styleText } from 'node:util'
import { runInTurn } from './files-in-turn.ts'
import { MAX_SILENT_MS, readRun, testArgs, type Counts, type TestRun } from './node-tests.ts'
import { run, type Limits } from './processes.ts'
import { createQueue, type Queue } from './queue.ts'

export interface Step {
	name: string
	args: string[]
	env?: Record<string, string>
	/** True to print the last line of the output even if the step passes. */
	hasNote?: boolean
}

const MAX_SHOWN_LINES = 400

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
	 * True to run files in processes that take one after the other, and so load the product once for many; by default Node's
	 * runner starts a process for each.
	 */
	isInTurn?: boolean
	/** Queue of the files that run in turn; by default one of this run alone. */
	queue?: Queue
	/** True to run before everything that waits in the queue. */
	isFirst?: boolean
	/** Limits of a file that runs in turn. */
	limits?: Limits
}

/** Creates a queue for files that need a processor: as many at a time as there are processors, and one more. */
export function createProcessorQueue(): Queue {
	return createQueue(availableParallelism() + 1)
}

/** Runs test files. A run without tests counts as failed. */
export async function runTests(name: string, files: string[], options: TestOptions = {}): Promise<Counts> {
	const started = Date.now()
	const runs = await runFiles(files, options)
	const counts = { passed: sumOf(runs, 'passed'), failed: sumOf(runs, 'failed') }
	const skipped = sumOf(runs, 'skipped')
	const note = `${counts.passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`
	const output = runs.map((each) => each.output).filter((text) => text.trim() !== '')
	return report({ name, started, counts, output: output.join('\n') || 'No test ran.', note })
}

async function runFiles(files: string[], options: TestOptions): Promise<TestRun[]> {
	const { flags = [], env = {}, isInTurn, queue = createProcessorQueue(), isFirst = false, limits } = options
	if (isInTurn) return runInTurn(files, { flags, env, queue, isFirst, limits })
	return [readRun(await run({ args: testArgs(files, flags), env }, { maxSilentMs: MAX_SILENT_MS, ...limits }))]
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
