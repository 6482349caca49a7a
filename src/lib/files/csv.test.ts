import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { numberCell, safeCsvLine, withoutFormulaMark } from './csv.ts'

test('safeCsvLine escapes texts that a spreadsheet would run, and leaves numbers and plain text unchanged', () => {
	assert.equal(safeCsvLine(['=1+1', '-2', ' @SUM(A1)', '\uff1d1']), `"'=1+1","'-2","' @SUM(A1)","'\uff1d1"\r\n`)
	assert.equal(safeCsvLine([-12.5, { verbatim: '-12.50' }, 'Asha', null, '7']), '-12.5,-12.50,Asha,,7\r\n')
})

test('safeCsvLine marks digits that a spreadsheet would change as text', () => {
	const cells = ['0042', '4051234567890123', '919876543210', '12E5', '98765', '12345678901', 'A12']
	assert.equal(safeCsvLine(cells), '"\t0042","\t4051234567890123","\t919876543210","\t12E5",98765,12345678901,A12\r\n')
})

test('numberCell writes a number that is no formula for a spreadsheet, and readNumber reads it as the same number', () => {
	assert.equal(numberCell('919876543210'), '(+91) 98765 43210')
	assert.equal(numberCell('IN.123abc'), 'IN.123abc')
	for (const number of ['919876543210', '6581234567', '17025550123', '393312345678'])
		assert.equal(readNumber(numberCell(number)), number)
})

test('numberCell puts the first three digits into brackets when no country has the calling code', () => {
	assert.equal(numberCell('999123456789'), '(+999) 123456789')
	assert.equal(numberCell('9991'), '(+999) 1')
})

test('withoutFormulaMark reverses safeCsvLine, and leaves any other apostrophe', () => {
	for (const text of ['=1+1', '-2', ' @SUM(A1)', '+91', '\uff1d1', '\uff0b1']) {
		assert.equal(withoutFormulaMark(`'${text}`), text)
		assert.equal(withoutFormulaMark(` '${text}`), text)
		assert.equal(withoutFormulaMark(text), text)
	}
	for (const text of ["'Asha", "O'Hara", "'", '']) assert.equal(withoutFormulaMark(text), text)
})
