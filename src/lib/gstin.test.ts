import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGstin, plainGstin } from './gstin.ts'

test('isGstin accepts numbers with a correct check character', () => {
	for (const gstin of ['27AAPFU0939F1ZV', '29AAGCB7383J1Z4', '07AAGFF2194N1Z1']) assert.ok(isGstin(gstin), gstin)
})

test('isGstin refuses a number with any single character changed, and any other length', () => {
	const gstin = '27AAPFU0939F1ZV'
	for (let index = 0; index < gstin.length; index++) {
		const other = gstin[index] === '4' ? '5' : '4'
		const changed = gstin.slice(0, index) + other + gstin.slice(index + 1)
		assert.equal(isGstin(changed), false, changed)
	}
	for (const text of ['', gstin.slice(1), `${gstin}1`, gstin.toLowerCase(), '27 AAPFU0939F1ZV'])
		assert.equal(isGstin(text), false, text)
})

test('plainGstin removes spaces, dashes and invisible characters, and converts to upper case', () => {
	assert.equal(plainGstin(' 27-aapfu0939f 1zv '), '27AAPFU0939F1ZV')
	assert.equal(plainGstin('\u200e27–AAPFU0939F\u00a01ZV\u200b\ufeff'), '27AAPFU0939F1ZV')
})
