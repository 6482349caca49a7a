import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect, styleText } from 'node:util'

/** Prefix of a run's last line, which the test command parses and does not print. */
export const COUNTS_PREFIX = '#counts '

/** Line after each test, by which the test command notices progress. */
export const PROGRESS = '#progress\n'

/** Prints failures and the output of the tests; a passing test prints only `PROGRESS`. */
export default async function* report(events: AsyncIterable<TestEvent>) {
	for await (const event of events) {
		if (event.type === 'test:complete') yield PROGRESS
		else if (event.type === 'test:fail' && !isOnlyParent(event.data.details.error)) {
			const { name, file, line, details } = event.data
			const place = file ? `${relative(process.cwd(), file)}${line ? `:${line}` : ''}` : ''
			yield `${styleText('red', '✗')} ${name}\n  ${place}\n${indented(explain(details.error))}\n`
		} else if (event.type === 'test:stderr' || event.type === 'test:stdout') {
			yield event.data.message
		} else if (event.type === 'test:summary' && event.data.file === undefined) {
			yield `${COUNTS_PREFIX}${JSON.stringify(event.data.counts)}\n`
		}
	}
}

// Returns true if a test failed only because a subtest failed. Only the subtest is printed.
function isOnlyParent(error: Error & { failureType?: string }) {
	return error.failureType === 'subtestsFailed'
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
