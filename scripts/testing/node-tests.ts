import { MINUTE_MS } from '#lib/durations.ts'
import type { Ended } from './processes.ts'
import { COUNTS_PREFIX, PROGRESS } from './reporter.ts'

/** Flags of each process that runs test files. */
export const TEST_FLAGS = [
	`--import=${new URL('../../test/preload/fail-on-console.ts', import.meta.url).href}`,
	`--import=${new URL('../../test/preload/cheap-passwords.ts', import.meta.url).href}`,
	// This timeout is shorter than MAX_SILENT_MS, so that the report names a test that hangs.
	'--test-timeout=450000',
]

/** Maximum time between the ends of two tests of a process: more than a test may take, and the start of a file. */
export const MAX_SILENT_MS = 8 * MINUTE_MS

export interface Counts {
	passed: number
	failed: number
}

export interface TestRun extends Counts {
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

/** Returns the arguments of `node --test` with the reporter whose output `readRun` reads. */
export function testArgs(files: string[], flags: string[]): string[] {
	const reporter = new URL('reporter.ts', import.meta.url).href
	return ['--test', `--test-reporter=${reporter}`, ...TEST_FLAGS, ...flags, ...files]
}

/** Reads the counts from the output of a run of `testArgs`. A run without tests counts as failed. */
export function readRun({ ok, output }: Ended): TestRun {
	const lines = output.replaceAll(PROGRESS, '').split('\n')
	const line = lines.findLast((text) => text.startsWith(COUNTS_PREFIX))
	const found = line && (JSON.parse(line.slice(COUNTS_PREFIX.length)) as NodeCounts)
	const counts = found
		? {
				passed: found.passed - found.groups.passed,
				failed: found.failed + found.cancelled - found.groups.failed,
				skipped: found.skipped,
			}
		: { passed: 0, failed: 0, skipped: 0 }
	if (counts.failed === 0 && (!ok || counts.passed + counts.skipped === 0)) counts.failed = 1
	return { ...counts, output: lines.filter((text) => text !== line).join('\n') }
}
