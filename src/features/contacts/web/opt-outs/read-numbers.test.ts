import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNumbers } from './read-numbers.ts'

test('readNumbers splits at line ends, commas, semicolons and tabs, and returns each number once', () => {
	assert.deepEqual(readNumbers(' 98765 43210\r\n+91 99887 76655, 9876512345;\t98765 43210\n\n'), [
		'98765 43210',
		'+91 99887 76655',
		'9876512345',
	])
})

test('readNumbers cuts entries that are too long for a number', () => {
	assert.deepEqual(
		readNumbers('9'.repeat(100)).map(({ length }) => length),
		[40],
	)
})
