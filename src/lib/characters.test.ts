import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstCharacters, initialOf, shortened } from './characters.ts'

test('shortened cuts after whole characters, and adds an ellipsis only to a text that it cut', () => {
	assert.equal(shortened('Meera', 15), 'Meera')
	assert.equal(shortened('Lakshminarayana Rao', 15), 'Lakshminarayana...')
	assert.equal(shortened('👨‍👩‍👧‍👦'.repeat(16), 15), `${'👨‍👩‍👧‍👦'.repeat(15)}...`)
	assert.equal(shortened('', 15), '')
})

test('firstCharacters keeps combining marks with their letter', () => {
	assert.equal(firstCharacters('திருவேங்கடம்', 2), 'திரு')
})

test('initialOf returns one whole character in upper case', () => {
	assert.deepEqual(['meera', '👩🏽‍💻 Zoë', 'தீபா', ''].map(initialOf), ['M', '👩🏽‍💻', 'தீ', ''])
})
