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

/** Returns the anchor that a heading gets when the page is rendered. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replaceAll(/[^\w -]/g, '')
		.replaceAll(' ', '-')

function anchorsIn(path: string): string[] {
	return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

test('every link from a page to another page names an existing file and heading', () => {
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

/** Returns the first capture of each match of the pattern in these pages. */
const wordsIn = (some: string[], pattern: RegExp) =>
	some.flatMap((page) => [...read(page).matchAll(pattern)].map(([, word = '']) => word))

/** Variables that the S3 client reads. */
const OF_LIBRARIES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

test('the configuration page lists exactly the variables that the product reads', () => {
	const rows = read('docs/operations/configure.md').match(/^\| `[A-Z].*$/gm) ?? []
	const listed = rows.flatMap((row) => row.split(' | ')[0]?.match(/[A-Z][A-Z0-9_]+/g) ?? [])
	assert.deepEqual(listed.toSorted(), ENV_NAMES.toSorted())
})

test('every npm command in a page is a script of package.json', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
	const named = pages.flatMap((page) => read(page).match(/npm run [a-z][a-z:]*/g) ?? [])
	assert.ok(named.length > 30)
	assert.deepEqual(
		named.filter((command) => !Object.hasOwn(scripts, command.slice('npm run '.length))),
		[],
	)
})

test('every benchmark and every test named in a page exists', () => {
	const benchmarks = wordsIn(pages, /npm run bench -- ([a-z-]+)/g)
	const tests = wordsIn(pages, /npm test -- --only unit ([a-z/-]+)/g)
	assert.ok(benchmarks.length > 3 && tests.length > 2)
	assert.deepEqual(
		[
			...benchmarks.filter(
				(name) => ![`${name}.ts`, `${name}/main.ts`].some((path) => existsSync(join(ROOT, 'bench', path))),
			),
			...tests.filter((word) => findFiles([...UNIT_TESTS, ...SYSTEM_TESTS], [word]).length === 0),
		],
		[],
	)
})

test('every file named in the pages for engineers exists', () => {
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

test('the product reads every variable that a command of the operations pages sets', () => {
	const blocks = globSync('docs/operations/*.md', { cwd: ROOT }).flatMap(
		(page) => read(page).match(/```sh[^]*?```/g) ?? [],
	)
	const set = blocks.flatMap((block) => [...block.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name))
	/** Variables of `deploy/compose.yaml` itself. */
	const ofContainers = ['POSTGRES_PASSWORD', 'STORAGE_KEY', 'STORAGE_SECRET', 'GARAGE_RPC_SECRET']
	assert.ok(set.length > 10)
	assert.deepEqual(
		set.filter((name) => ![...ENV_NAMES, ...OF_LIBRARIES, ...ofContainers].includes(name)),
		[],
	)
})
