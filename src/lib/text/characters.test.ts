import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCharacters, cutTo, firstCharacters, initialOf, shortened } from './characters.ts'

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

test('cutTo keeps whole code points up to the count', () => {
	assert.equal(cutTo('🙏'.repeat(300), 201), '🙏'.repeat(201))
	assert.equal(cutTo('ab🙏', 2), 'ab')
	assert.equal(cutTo('a🙏🙏b', 4), 'a🙏🙏b')
	assert.equal(countCharacters(cutTo(`a${'🙏'.repeat(300)}`, 100)), 100)
})
