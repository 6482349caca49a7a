import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isErrorWord } from './error-words.ts'

test('isErrorWord returns true for spreadsheet errors and words for "no value", and false for values and names', () => {
	for (const cell of [
		'#N/A',
		'#REF!',
		'#value!',
		' #DIV/0! ',
		'#NAME?',
		'Err:502',
		'NULL',
		'(null)',
		'nan',
		'NaN',
		'N/A',
	])
		assert.equal(isErrorWord(cell), true, cell)
	for (const cell of ['', 'Nan', 'Null', 'Nil', 'None', 'NA', '#1', '#REF!x', 'Anan', '0', `NULL${' '.repeat(9)}x`])
		assert.equal(isErrorWord(cell), false, cell)
})
