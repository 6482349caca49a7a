import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runTests } from '../scripts/testing/steps.ts'

test('a run of files in turn counts a failed test once, whatever contains it, and no file', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'counted-'))
	t.after(() => rmSync(folder, { recursive: true }))
	const file = (name: string, text: string) => {
		const path = join(folder, name)
		writeFileSync(
			path,
			`import { suite, test } from 'node:test'\nconst fail = () => { throw new Error('as planned') }\n${text}`,
		)
		return path
	}
	const files = [
		file('mixed.mjs', `test('a', () => {})\ntest('b', fail)\ntest.skip('c', fail)\n`),
		file(
			'nested.mjs',
			`suite('s', () => { test('d', fail)\ntest('e', () => {}) })\ntest('f', (t) => t.test('g', fail))\n`,
		),
		file('passing.mjs', `test('h', () => {})\n`),
		file('broken.mjs', 'fail()\n'),
	]
	const printed = t.mock.method(console, 'log', () => {})
	assert.deepEqual(await runTests('runs', files, { filesPerProcess: 4, isInTurn: true }), { passed: 3, failed: 4 })
	const output = printed.mock.calls.flatMap(({ arguments: words }) => words).join('\n')
	assert.deepEqual(
		Array.from(output.matchAll(/✗ (\S+)\n/g), ([, name]) => name?.replace(`${folder}/`, '')),
		['b', 'd', 'g', 'broken.mjs'],
	)
})
