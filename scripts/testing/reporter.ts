import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect, styleText } from 'node:util'

/** The last line of a run, read by the test command and not shown. */
export const countsMark = '#counts '

/** Shows what failed, and what the tests printed; a passing test is silent. */
export default async function* report(events: AsyncIterable<TestEvent>) {
	for await (const event of events) {
		if (event.type === 'test:fail' && !isOnlyParent(event.data.details.error)) {
			const { name, file, line, details } = event.data
			const place = file ? `${relative(process.cwd(), file)}${line ? `:${line}` : ''}` : ''
			yield `${styleText('red', '✗')} ${name}\n  ${place}\n${indented(explain(details.error))}\n`
		} else if (event.type === 'test:stderr' || event.type === 'test:stdout') {
			yield event.data.message
		} else if (event.type === 'test:summary' && event.data.file === undefined) {
			yield `${countsMark}${JSON.stringify(event.data.counts)}\n`
		}
	}
}

// A test fails also because one inside it failed, which is shown already.
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
