import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url)
const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8')

interface Row {
	id: string
	level: string
	asked: string
	keptBy: string
	testedBy: string
}

const rows: Row[] = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, id = '', rest = '']) => {
	const [level = '', asked = '', keptBy = '', testedBy = ''] = rest.split(' | ').map((cell) => cell.trim())
	return { id, level, asked, keptBy, testedBy }
})

/** Numbers of requirements of level 1 and of level 2, by chapter of the standard. */
const REQUIREMENTS: Record<number, [number, number]> = {
	1: [8, 19],
	2: [4, 7],
	3: [8, 11],
	4: [2, 8],
	5: [4, 5],
	6: [13, 22],
	7: [6, 12],
	8: [4, 3],
	9: [4, 3],
	10: [5, 24],
	11: [3, 11],
	12: [3, 6],
	13: [1, 12],
	14: [2, 7],
	15: [3, 10],
	16: [0, 16],
	17: [0, 7],
}

const pathsIn = (words: string) =>
	[...words.matchAll(/`([\w@./-]+\/[\w.-]+\.\w+)`/g)]
		.map(([, path = '']) => path)
		.filter((path) => !path.startsWith('@'))

const DOCS = { 'docs/security.md': 200, 'docs/architecture.md': 20, 'CONTRIBUTING.md': 10 }
for (const [doc, least] of Object.entries(DOCS)) {
	test(`${doc} names only files that exist`, () => {
		const paths = pathsIn(readFileSync(new URL(doc, ROOT), 'utf8'))
		assert.ok(paths.length > least, `${paths.length} paths`)
		const gone = paths.filter(
			(path) => !['', 'src/', 'src/features/'].some((base) => existsSync(new URL(base + path, ROOT))),
		)
		assert.deepEqual(gone, [])
	})
}

test('the ASVS table contains every requirement of levels 1 and 2 once', () => {
	assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
	for (const [chapter, expected] of Object.entries(REQUIREMENTS)) {
		const mine = rows.filter(({ id }) => id.startsWith(`${chapter}.`))
		const counted = ['1', '2'].map((level) => mine.filter((row) => row.level === level).length)
		assert.deepEqual(counted, expected, `chapter ${chapter}`)
	}
})

test('no row of level 1 is open, and each row that is open or not applicable has a reason', () => {
	const open = rows.filter(({ keptBy }) => /\bopen\b/.test(keptBy))
	assert.deepEqual(
		open.filter(({ level }) => level === '1').map(({ id }) => id),
		[],
	)
	for (const { id, keptBy } of rows) {
		assert.ok(keptBy.length > 3, `${id} says nothing`)
		assert.ok(!/\b(?:open|n\/a)\b(?!: .{5}| for )/.test(keptBy), `${id} gives no reason`)
	}
})

test('each row that code fulfils names its test, and npm test runs each named test', () => {
	for (const { id, keptBy, testedBy } of rows) {
		const tests = pathsIn(testedBy)
		for (const path of tests) assert.match(path, /\.(?:test|spec)\.ts$/, id)
		const isByCode = pathsIn(keptBy).some((path) => /\.tsx?$/.test(path))
		if (isByCode && !/\b(?:open|n\/a)\b/.test(keptBy)) assert.ok(tests.length > 0, `${id} names no test`)
	}
})
