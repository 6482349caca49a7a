import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { inspect, styleText } from 'node:util'

/** Prefix of a run's last line, which the test command parses and does not print. */
export const COUNTS_PREFIX = '#counts '

/** File in which each test file of a process that runs several is a test. */
const IN_TURN = fileURLToPath(new URL('in-turn.ts', import.meta.url))

/** Line after each test, by which the test command notices progress. */
export const PROGRESS = '#progress\n'

/**
 * Prints failures and the output of the tests; a passing test prints only `PROGRESS`. `groups` counts files, and tests of which
 * only a subtest failed, because Node counts them as tests.
 */
export default async function* report(events: AsyncIterable<TestEvent>) {
	const groups = { passed: 0, failed: 0 }
	for await (const event of events) {
		if (event.type === 'test:pass' && event.data.file === IN_TURN) groups.passed++
		if (event.type === 'test:fail' && isFailedParent(event.data.details)) groups.failed++
		if (event.type === 'test:complete') yield PROGRESS
		else if (event.type === 'test:fail' && !isOnlyParent(event.data.details.error)) {
			const { name, file, line, details } = event.data
			const place = file ? `${relative(process.cwd(), file)}${line ? `:${line}` : ''}` : ''
			yield `${styleText('red', '✗')} ${name}\n  ${place}\n${indented(explain(details.error))}\n`
		} else if (event.type === 'test:stderr' || event.type === 'test:stdout') {
			yield event.data.message
		} else if (event.type === 'test:summary' && event.data.file === undefined) {
			yield `${COUNTS_PREFIX}${JSON.stringify({ ...event.data.counts, groups })}\n`
		}
	}
}

// Returns true if a test failed only because a subtest failed. Only the subtest is printed.
function isOnlyParent(error: Error & { failureType?: string }) {
	return error.failureType === 'subtestsFailed'
}

// Returns true for a test that Node counts as failed beside its failed subtest. Node counts no suites.
function isFailedParent({ error, type }: { error: Error; type?: string }) {
	return type !== 'suite' && isOnlyParent(error)
}

function explain(error: Error) {
	const cause = error.cause ?? error
	if (!(cause instanceof Error)) return inspect(cause)
	const own = cause.stack?.split('\n').filter((line) => !/\(?node:|node_modules/.test(line)) ?? [cause.message]
	return own.slice(0, 40).join('\n')
}

function indented(text: string) {
	return text.replaceAll(/^/gm, '  ')
}
