import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type * as Recheck from 'recheck'
import { parseSync, Visitor } from 'vite'

/** Form of the checker without Java or a native program. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof Recheck

const PRODUCT = globSync(['src/**/*.{ts,tsx}', 'simulator/**/*.ts']).filter((path) => !/\.test\.tsx?$/.test(path))

interface Pattern {
	place: string
	source: string
	flags: string
}

interface Patterns {
	literals: Pattern[]
	/** Places where a pattern is created at run time. */
	made: string[]
}

/** Returns the regular expressions in the syntax tree of a file. */
function patternsIn(path: string, text: string): Patterns {
	const found: Patterns = { literals: [], made: [] }
	const { program, errors } = parseSync(path, text)
	assert.deepEqual(errors, [], path)
	const placeOf = ({ start }: { start: number }) => `${path}:${text.slice(0, start).split('\n').length}`
	const noteMade = (node: { callee: { type: string; name?: unknown }; start: number }) => {
		if (node.callee.name === 'RegExp') found.made.push(placeOf(node))
	}
	new Visitor({
		Literal(node) {
			if (!('regex' in node)) return
			found.literals.push({ place: placeOf(node), source: node.regex.pattern, flags: node.regex.flags })
		},
		NewExpression: noteMade,
		CallExpression: noteMade,
	}).visit(program)
	return found
}

/**
 * Returns the reason why a pattern is not proven to take time linear in the text's length, or null. Only the automaton checker
 * proves it; the fuzzing checker might just find no attack.
 */
function problemOf({ source, flags }: Omit<Pattern, 'place'>): string | null {
	const limits = { maxRepeatCount: 1000, maxNFASize: 100_000, maxPatternSize: 10_000, timeout: 20_000 }
	const verdict = checkSync(source, flags, { checker: 'automaton', ...limits })
	if (verdict.status === 'safe') return null
	return verdict.status === 'vulnerable' ? verdict.complexity.summary : `unknown: ${JSON.stringify(verdict.error)}`
}

const all = PRODUCT.map((path) => patternsIn(path, readFileSync(path, 'utf8')))

test('every regular expression of the product is proven to take linear time', () => {
	const distinct = new Map(
		all.flatMap(({ literals }) => literals).map((each) => [`/${each.source}/${each.flags}`, each]),
	)
	assert.ok(distinct.size > 100, `only ${distinct.size} found`)
	const problems = Array.from(distinct, ([written, pattern]) => {
		const problem = problemOf(pattern)
		return problem === null ? [] : `${pattern.place} ${written}: ${problem}`
	})
	assert.deepEqual(problems.flat(), [])
})

test('the product creates no regular expression at run time', () => {
	assert.deepEqual(
		all.flatMap(({ made }) => made),
		[],
	)
})

test('the analyser finds quadratic, cubic and exponential patterns', () => {
	for (const source of [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, /\{\{\s*([^{}|]+?)\s*\}\}/, /\s+$/, /^(?:a+)+$/]) {
		assert.match(problemOf(source) ?? '', /polynomial|exponential/, String(source))
	}
	assert.match(problemOf(/(?<=a)b+c/) ?? '', /^unknown/)
	assert.deepEqual(patternsIn('a.tsx', "const a = <b>{/x/u.test('')}</b>\nconst c = new RegExp('d')"), {
		literals: [{ place: 'a.tsx:1', source: 'x', flags: 'u' }],
		made: ['a.tsx:2'],
	})
})
