import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeCsvLine, withoutFormulaMark } from './csv.ts'

test('safeCsvLine marks what a spreadsheet would run as text, and leaves numbers and plain text as they are', () => {
	assert.equal(safeCsvLine(['=1+1', '-2', ' @SUM(A1)', '\uff1d1']), `"'=1+1","'-2","' @SUM(A1)","'\uff1d1"\r\n`)
	assert.equal(safeCsvLine([-12.5, { verbatim: '-12.50' }, 'Asha', null, '7']), '-12.5,-12.50,Asha,,7\r\n')
})

test('withoutFormulaMark returns what safeCsvLine was given, and leaves any other apostrophe', () => {
	for (const text of ['=1+1', '-2', ' @SUM(A1)', '+91', '\uff1d1', '\uff0b1']) {
		assert.equal(withoutFormulaMark(`'${text}`), text)
		assert.equal(withoutFormulaMark(` '${text}`), text)
		assert.equal(withoutFormulaMark(text), text)
	}
	for (const text of ["'Asha", "O'Hara", "'", '']) assert.equal(withoutFormulaMark(text), text)
})
