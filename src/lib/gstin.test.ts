import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GST_STATES, placeOfSupply, stateTaxName, stateText } from './gst-states.ts'
import { isGstin, isStateCode, plainGstin, stateOfGstin } from './gstin.ts'

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

test('isStateCode accepts the codes that have a name, and no other two digits', () => {
	const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'))
	assert.deepEqual(codes.filter(isStateCode), Object.keys(GST_STATES).toSorted())
	for (const text of ['', '2', '027', '27 ', 'MH']) assert.equal(isStateCode(text), false, text)
})

test('placeOfSupply prefers the state of the payer’s GSTIN, then of the payer’s business, then of the issuer', () => {
	const gstin = '29AAGCB7383J1Z4'
	const issuer = '27AAPFU0939F1ZV'
	assert.equal(placeOfSupply({ gstin, businessState: '07' }, issuer), '29')
	assert.equal(placeOfSupply({ gstin: '', businessState: '07' }, issuer), '07')
	assert.equal(placeOfSupply({ gstin: '', businessState: '' }, issuer), '27')
	assert.equal(placeOfSupply({ gstin: '', businessState: '' }, ''), '')
	assert.equal(placeOfSupply({ gstin: '9917SGP29001OS6', businessState: '' }, issuer), '27', 'a code of no state')
	assert.equal(stateOfGstin('9917SGP29001OS6'), '')
})

test('stateText names the state with its code, and stateTaxName the tax of territories without a legislature', () => {
	assert.equal(stateText('29'), 'Karnataka (29)')
	assert.equal(stateText('99'), '99')
	assert.deepEqual(['27', '07', '34', '01', '04', '38'].map(stateTaxName), [
		'SGST',
		'SGST',
		'SGST',
		'SGST',
		'UTGST',
		'UTGST',
	])
})
