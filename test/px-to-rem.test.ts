import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toRem } from '../scripts/build/px-to-rem.ts'

test('toRem writes every length of 4 px and more in rem, in functions, lists and variables too', () => {
	assert.equal(toRem('.a { padding: 12px -8px; --x: 36px; }'), '.a { padding: 0.75rem -0.5rem; --x: 2.25rem; }')
	assert.equal(
		toRem('.a { grid-template-columns: minmax(min(200px, 100%), 1fr); }'),
		'.a { grid-template-columns: minmax(min(12.5rem, 100%), 1fr); }',
	)
})

test('toRem leaves thin lines, conditions, selectors and other units alone', () => {
	for (const css of [
		'.a { border: 1px solid; outline: 2px solid; }',
		'@media (max-width: 40em) { .a:hover { width: 50%; } }',
		'.a:not(:hover) { line-height: 1.5; }',
	])
		assert.equal(toRem(css), css)
})
