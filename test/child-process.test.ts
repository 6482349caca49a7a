import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isAlive } from '#embedded/processes.ts'
import { run } from '../scripts/testing/processes.ts'
import { until } from './until.ts'

// With this variable Node would not run tests within tests.
delete process.env.NODE_TEST_CONTEXT

const HELPER = new URL('child-process.ts', import.meta.url).href
const ENDLESS = "['--eval', 'setInterval(() => {}, 1000)']"

/** Creates a folder with one test file, which writes the id of the child that it starts. Removes it after the test. */
function folderWith(t: { after(done: () => void): void }, body: string) {
	const folder = mkdtempSync(join(tmpdir(), 'test-child-'))
	t.after(() => rmSync(folder, { recursive: true, force: true }))
	const file = join(folder, 'hangs.test.mjs')
	const note = join(folder, 'pid')
	writeFileSync(
		file,
		`import { writeFileSync } from 'node:fs'
		import { test } from 'node:test'
		import { startChild } from ${JSON.stringify(HELPER)}
		const child = startChild(${ENDLESS})
		writeFileSync(${JSON.stringify(note)}, String(child.pid))
		${body}`,
	)
	return { file, childPid: () => Number(readFileSync(note, 'utf8')) }
}

const ENDS: Record<string, string> = {
	'its tests have passed': "test('passes', () => {})",
	'a test has failed': "test('fails', () => { throw new Error('as planned') })",
	'its process exits': "test('exits', () => process.exit(1))",
	'its process is killed': "test('is killed', () => process.kill(process.pid, 'SIGKILL'))",
}

for (const [end, body] of Object.entries(ENDS))
	test(`a child of a test file ends when ${end}`, async (t) => {
		const { file, childPid } = folderWith(t, body)
		const { ok } = await run({ args: ['--test', file] }, { maxMs: 20_000 })
		assert.equal(ok, end === 'its tests have passed')
		await until(() => !isAlive(childPid()))
	})

const LIMITS = [
	['at its time limit', { maxMs: 3000 }, 'Not finished after 3 s.'],
	['after too long a silence', { maxSilentMs: 3000 }, 'No progress for 3 s.'],
] as const

for (const [end, limits, reason] of LIMITS)
	test(`run ends a hanging script ${end}, and names the test file that is still running`, async (t) => {
		const { file, childPid } = folderWith(t, "test('hangs', () => new Promise(() => setInterval(() => {}, 1000)))")
		const { ok, output } = await run({ args: ['--test', file] }, limits)
		assert.equal(ok, false)
		assert.ok(output.includes(`\n${reason} Still running:\n`), output)
		assert.match(output, /hangs\.test\.mjs/)
		await until(() => !isAlive(childPid()))
	})
