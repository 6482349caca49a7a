import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findReleaseProblem, releaseNotes } from '../scripts/release/changelog.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- Replies cost money.\n\n## 1.0.0 - 2026-11-26\n\nFirst.\n'
const current = '1.0.0'

test('findReleaseProblem returns a reason for a version that is malformed or not later than the current one', () => {
	for (const version of ['', '1.1', 'v1.1.0', '1.0.0', '0.9.9', '1.0.0-beta'])
		assert.notEqual(findReleaseProblem(CHANGELOG, { version, current }), null, version)
	for (const version of ['1.0.1', '1.1.0', '1.10.0', '2.0.0'])
		assert.equal(findReleaseProblem(CHANGELOG, { version, current }), null, version)
})

test('findReleaseProblem returns a reason when "Unreleased" has no line', () => {
	const empty = CHANGELOG.replace('- Replies cost money.\n\n', '')
	assert.equal(
		findReleaseProblem(empty, { version: '1.1.0', current }),
		'The section "Unreleased" of CHANGELOG.md is empty.',
	)
})

test('releaseNotes moves the section "Unreleased" under the new version', () => {
	assert.equal(
		releaseNotes(CHANGELOG, { version: '1.1.0', today: '2026-12-01' }),
		'# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-12-01\n\n- Replies cost money.\n\n## 1.0.0 - 2026-11-26\n\nFirst.\n',
	)
})

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

test('CHANGELOG.md has the section "Unreleased" and the version of package.json', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string }
	assert.match(read('CHANGELOG.md'), /^## Unreleased$/m)
	assert.ok(read('CHANGELOG.md').includes(`\n## ${version} - `), version)
})
