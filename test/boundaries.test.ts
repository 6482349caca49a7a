import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allowed, importViolations, structureViolations } from './violations.ts'
import { problemViolations } from './violations/problem-violations.ts'
import { wordViolations } from './violations/word-violations.ts'

// The rules run in a temporary folder of the same layout, so that the real tree never contains violations.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED_FILES = ['package.json', 'tsconfig.json', 'tsconfig.server.json', 'tsconfig.web.json', 'oxlint.config.ts']
const createdTrees: string[] = []

function makeTree(files: { path: string; text: string }[]) {
	const tree = mkdtempSync(join(tmpdir(), 'boundaries-'))
	createdTrees.push(tree)
	for (const { path, text } of files) {
		mkdirSync(dirname(join(tree, path)), { recursive: true })
		writeFileSync(join(tree, path), text)
	}
	return tree
}

interface Report {
	path: string
	text: string
}

function lint(files: { path: string; text: string }[]): Report[] {
	const tree = makeTree(files)
	for (const path of [...COPIED_FILES, 'scripts/structure'])
		cpSync(join(ROOT, path), join(tree, path), { recursive: true })
	symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
	const args = ['node_modules/oxlint/bin/oxlint', '-f', 'json', 'src', 'simulator', 'embedded', 'scripts/serve.ts']
	const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 1e8 })
	assert.ok(stdout.startsWith('{'), stdout + stderr)
	const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string; help?: string }[] }
	return diagnostics.map(({ filename, message, help = '' }) => ({ path: filename, text: `${message} ${help}` }))
}

function checkStructure(files: { path: string; text: string }[]) {
	const args = [join(ROOT, 'scripts/check-structure.ts'), makeTree(files)]
	const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
	const reports = stdout.split('\n').map((line): Report => {
		const [, path = '', text = ''] = /^([^\s:]+):\d+ {2}(.*)$/.exec(line) ?? []
		return { path, text }
	})
	return { reports, status, stdout }
}

after(() => {
	for (const tree of createdTrees) rmSync(tree, { recursive: true, force: true })
})

const reportsOn = (reports: Report[], path: string) =>
	reports.filter((report) => report.path === path).map((report) => report.text)

test('the linter reports each import that crosses a boundary, and names the remedy', async (t) => {
	const reports = lint([...importViolations, ...allowed])
	for (const { path, message } of importViolations) {
		await t.test(`the linter reports ${path} with ${message.source}`, () =>
			assert.match(reportsOn(reports, path).join('\n'), message),
		)
	}
	await t.test('the linter reports nothing on imports that the rules allow', () => {
		const rules = /restricted|cycle|default export/
		assert.deepEqual(
			allowed.flatMap(({ path }) => reportsOn(reports, path).filter((text) => rules.test(text))),
			[],
		)
	})
})

test('check-structure reports each violation, names the remedy and exits with 1', async (t) => {
	const violations = [...structureViolations, ...problemViolations, ...wordViolations]
	const { reports, status } = checkStructure([...violations, ...allowed])
	assert.equal(status, 1)
	for (const { path, message } of violations) {
		await t.test(`check-structure reports ${path} with ${message.source}`, () =>
			assert.match(reportsOn(reports, path).join('\n'), message),
		)
	}
})

test('check-structure prints OK and exits with 0 for a tree without violations', () => {
	const { stdout, status } = checkStructure(allowed)
	assert.equal(stdout, `OK, ${allowed.length} files examined\n`)
	assert.equal(status, 0)
})

const filesOf = (folder: string, count: number) =>
	Array.from({ length: count }, (_, index) => ({ path: `${folder}/file-${index}.ts`, text: 'export {}\n' }))

test('check-structure reports a folder of 16 files, and none of 15 with tests and a sub-folder', () => {
	const { reports } = checkStructure([
		...filesOf('src/lib/web/crowded', 16),
		...filesOf('src/lib/web/full', 15),
		...filesOf('src/lib/web/full/part', 15),
		{ path: 'src/lib/web/full/file-1.test.ts', text: 'export {}\n' },
	])
	const crowded = reports.filter(({ text }) => text.startsWith('16 files, at most 15: move files that belong together'))
	assert.deepEqual(
		crowded.map(({ path }) => path),
		['src/lib/web/crowded'],
	)
})

/** Returns the files of a feature with 9,500 lines and these. */
const featureOf = (feature: string, lines: number) => [
	...Array.from({ length: 95 }, (_, index) => ({
		path: `src/features/${feature}/server/part-${index % 7}/file-${index}.ts`,
		text: 'export {}\n'.repeat(100),
	})),
	{ path: `src/features/${feature}/rules.ts`, text: 'export {}\n'.repeat(lines) },
	{ path: `src/features/${feature}/contract.ts`, text: 'export {}\n'.repeat(300) },
	{ path: `src/features/${feature}/v1-contract.ts`, text: 'export {}\n'.repeat(300) },
	{ path: `src/features/${feature}/server/rules.test.ts`, text: 'export {}\n'.repeat(300) },
]

test('check-structure reports a feature of more than 9,500 lines, without its tests and contracts', () => {
	const { reports } = checkStructure([...featureOf('contacts', 1), ...featureOf('chats', 0)])
	const large = reports.filter(({ text }) => text.startsWith('9501 lines, at most 9500'))
	assert.deepEqual(
		large.map(({ path }) => path),
		['src/features/contacts'],
	)
})

test('check-structure exits with 1 when there are no sources to examine', () => {
	const { stdout, status } = checkStructure([{ path: 'docs/alone.md', text: 'Nothing here.\n' }])
	assert.match(stdout, /Nothing to examine/)
	assert.equal(status, 1)
})
