import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Limits } from '../scripts/testing/processes.ts'
import { createQueue } from '../scripts/testing/queue.ts'
import { runTests } from '../scripts/testing/steps.ts'

/** Returns a function that writes test files into a folder, which is removed after the test. */
function writer(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), 'counted-'))
	t.after(() => rmSync(folder, { recursive: true }))
	return (name: string, text: string) => {
		const path = join(folder, name)
		writeFileSync(
			path,
			`import { suite, test } from 'node:test'\nconst fail = () => { throw new Error('as planned') }\n${text}`,
		)
		return path
	}
}

/** Runs the files in one process at a time. Returns the counts and the printed lines. */
async function runInTurn(t: TestContext, files: string[], limits: Limits = {}) {
	const printed = t.mock.method(console, 'log', () => {})
	const counts = await runTests('runs', files, { isInTurn: true, queue: createQueue(1), limits })
	return { counts, output: printed.mock.calls.flatMap(({ arguments: words }) => words).join('\n') }
}

test('a run of files in turn counts a failed test once, whatever contains it, and no file', async (t) => {
	const file = writer(t)
	const files = [
		file('mixed.mjs', `test('a', () => {})\ntest('b', fail)\ntest.skip('c', fail)\n`),
		file(
			'nested.mjs',
			`suite('s', () => { test('d', fail)\ntest('e', () => {}) })\ntest('f', (t) => t.test('g', fail))\n`,
		),
		file('passing.mjs', `test('h', () => {})\n`),
		file('broken.mjs', 'fail()\n'),
	]
	const { counts, output } = await runInTurn(t, files)
	assert.deepEqual(counts, { passed: 3, failed: 4 })
	assert.deepEqual(
		Array.from(output.matchAll(/✗ (\S+)\n/g), ([, name]) => basename(name ?? '')),
		['b', 'd', 'g', 'broken.mjs'],
	)
})

test('a file that ends its process or hangs is named, and the next file runs in a new process', async (t) => {
	const file = writer(t)
	const note = `console.log('process', process.pid)\n`
	const files = [
		file('first.mjs', `${note}test('a', () => {})\n`),
		file('exits.mjs', `${note}test('b', () => process.exit(0))\n`),
		file('hangs.mjs', `${note}test('c', () => new Promise(() => setInterval(() => {}, 1000)))\n`),
		file('last.mjs', `${note}test('d', () => {})\n`),
	]
	const { counts, output } = await runInTurn(t, files, { maxSilentMs: 15_000 })
	assert.equal(counts.failed, 2)
	assert.match(output, /The process ended in .*exits\.mjs\n/)
	assert.match(output, /The process ended in .*hangs\.mjs\n/)
	assert.match(output, /No progress for 15 s\. Still running:\n.*hangs\.mjs\n/)
	const pids = Array.from(output.matchAll(/process (\d+)/g), ([, pid]) => pid)
	assert.deepEqual([pids.length, new Set(pids).size, pids[0]], [4, 3, pids[1]])
})

test('a rejection after the end of its test fails the run and is named with its file, and skipped tests do not', async (t) => {
	const file = writer(t)
	const skipped = file('skipped.mjs', `test.skip('a', fail)\n`)
	const late = file(
		'late.mjs',
		`test('b', () => { setTimeout(() => Promise.reject(new Error('as planned'))) })
		test('c', () => new Promise((resolve) => setTimeout(resolve, 50)))\n`,
	)
	assert.deepEqual((await runInTurn(t, [skipped])).counts, { passed: 0, failed: 0 })
	const { counts, output } = await runInTurn(t, [late])
	assert.deepEqual(counts, { passed: 2, failed: 1 })
	assert.match(output, /unhandledRejection in .*late\.mjs: Error: as planned\n/)
})
