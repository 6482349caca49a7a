import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ENV_NAMES } from '#app/server/env.ts'
import { findFiles, SYSTEM_TESTS, UNIT_TESTS } from '../scripts/testing/files.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The anchor that a heading gets where pages are shown. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replaceAll(/[^\w -]/g, '')
		.replaceAll(' ', '-')

function anchorsIn(path: string): string[] {
	return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

test('every link of a page to another one leads to a file and a heading that exist', () => {
	const broken: string[] = []
	let count = 0
	for (const page of pages) {
		for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
			if (/^[a-z]+:/.test(target)) continue
			count++
			const [path = '', anchor] = target.split('#')
			const file = path === '' ? page : join(dirname(page), path)
			const isThere = existsSync(join(ROOT, file)) && (!anchor || anchorsIn(file).includes(anchor))
			if (!isThere) broken.push(`${page}: ${target}`)
		}
	}
	assert.ok(count > 40, `${count} links`)
	assert.deepEqual(broken, [])
})

/** What these pages name in the pattern's brackets. */
const wordsIn = (some: string[], pattern: RegExp) =>
	some.flatMap((page) => [...read(page).matchAll(pattern)].map(([, word = '']) => word))

/** Read by the S3 client. */
const OF_LIBRARIES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

test('the page on configuration lists each variable that the product reads, and no other', () => {
	const rows = read('docs/operations/configure.md').match(/^\| `[A-Z].*$/gm) ?? []
	const listed = rows.flatMap((row) => row.split(' | ')[0]?.match(/[A-Z][A-Z0-9_]+/g) ?? [])
	assert.deepEqual(listed.toSorted(), ENV_NAMES.toSorted())
})

test('every command that a page tells to run is one of package.json', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
	const named = pages.flatMap((page) => read(page).match(/npm run [a-z][a-z:]*/g) ?? [])
	assert.ok(named.length > 30)
	assert.deepEqual(
		named.filter((command) => !Object.hasOwn(scripts, command.slice('npm run '.length))),
		[],
	)
})

test('every benchmark and every test that a page tells to run is there', () => {
	const benchmarks = wordsIn(pages, /npm run bench -- ([a-z-]+)/g)
	const tests = wordsIn(pages, /npm test -- --only unit ([a-z/-]+)/g)
	assert.ok(benchmarks.length > 3 && tests.length > 2)
	assert.deepEqual(
		[
			...benchmarks.filter((name) => !existsSync(join(ROOT, 'bench', `${name}.ts`))),
			...tests.filter((word) => findFiles([...UNIT_TESTS, ...SYSTEM_TESTS], [word]).length === 0),
		],
		[],
	)
})

test('every file that the pages for engineers name is there', () => {
	const folders = ['.', 'src', 'src/features']
	const named = wordsIn(
		['CONTRIBUTING.md', 'docs/architecture.md'],
		/`([\w./-]*\w\/[\w.-]+\.(?:ts|tsx|sql|js|json|css|yaml|conf|md))`/g,
	)
	assert.ok(named.length > 60, `${named.length} files`)
	assert.deepEqual(
		named.filter((path) => !folders.some((folder) => existsSync(join(ROOT, folder, path)))),
		[],
	)
})

test('every variable that a command of the operations pages sets for the product is one that it reads', () => {
	const blocks = globSync('docs/operations/*.md', { cwd: ROOT }).flatMap(
		(page) => read(page).match(/```sh[^]*?```/g) ?? [],
	)
	const set = blocks.flatMap((block) => [...block.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name))
	/** Those of `deploy/compose.yaml` itself. */
	const ofContainers = ['POSTGRES_PASSWORD', 'STORAGE_KEY', 'STORAGE_SECRET', 'GARAGE_RPC_SECRET']
	assert.ok(set.length > 10)
	assert.deepEqual(
		set.filter((name) => ![...ENV_NAMES, ...OF_LIBRARIES, ...ofContainers].includes(name)),
		[],
	)
})
