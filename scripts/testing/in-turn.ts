import { on } from 'node:events'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { endChildren } from '#test/child-process.ts'
import type { FileEnd, NextFile } from './files-in-turn.ts'
import { MAX_STEP_MS } from './processes.ts'

// No limit for all files together: with Infinity, Node would take the limit of the command line, which is that of one test.
const UNLIMITED_MS = 2 ** 31 - 1

let [current, isRunning] = ['', false]
// Node's runner fails the process for such an error if its test has ended, and prints nothing.
for (const event of ['uncaughtException', 'unhandledRejection']) {
	process.on(event, (error) => process.stderr.write(`${event} in ${current}: ${inspect(error)}\n`))
}

// The test command that is killed in the middle of a file would leave the process and its browser running.
process.once('disconnect', () => {
	if (isRunning) process.exit(1)
})

// Runs test files in one process, as the test command sends them, each after the end of the one before: it starts its product,
// runs its tests and closes the product. A file that cannot be loaded, or whose test fails, does not affect the next file.
void test('files in turn', { timeout: UNLIMITED_MS }, async (t) => {
	for await (const [message] of on(process, 'message', { close: ['disconnect'] })) {
		const { file } = message as NextFile
		;[current, isRunning] = [file, true]
		await t.test(file, { timeout: MAX_STEP_MS }, async (own) => {
			own.after(endChildren)
			const loading = import(pathToFileURL(file).href)
			// The tests of the file wait for the constants that follow them in it.
			own.before(() => loading)
			await loading
		})
		isRunning = false
		process.send?.({ bytes: process.memoryUsage.rss() } satisfies FileEnd)
	}
})
