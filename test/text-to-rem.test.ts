import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textToRem } from '../scripts/build/text-to-rem.ts'

test('textToRem converts font sizes and line heights to rem', () => {
	assert.equal(
		textToRem('.a { font-size: 13px; line-height: 20px; }'),
		'.a { font-size: 0.8125rem; line-height: 1.25rem; }',
	)
})

test('textToRem does not change other lengths and line heights without a unit', () => {
	const css = '.a { padding: 12px; line-height: 1.5; width: 40px; } @media (max-width: 40em) { .b { gap: 4px; } }'
	assert.equal(textToRem(css), css)
})
