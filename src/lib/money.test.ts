import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, formatRupees, paiseFromRupees } from './money.ts'

test('paiseFromRupees reads the digits of a number or text, and accepts zeros after two decimals', () => {
	const amounts = [0, 12, 12.5, 0.29, 1.1, ' 12.50 ', '12.500', '0.07', '.5', '1.', '999999999999.99']
	assert.deepEqual(amounts.map(paiseFromRupees), [0, 1200, 1250, 29, 110, 1250, 1250, 7, 50, 100, 99_999_999_999_999])
})

test('paiseFromRupees returns null for a third decimal, a sign, an exponent, separators and thirteen digits', () => {
	const amounts = [0.1 + 0.2, '12.505', -1, '+1', 1e21, '1e3', '1,000', '.', '', '1234567890123', Number.NaN]
	assert.deepEqual([...new Set(amounts.map(paiseFromRupees))], [null])
})

test('decimal formats paise as rupees with two decimals', () => {
	assert.deepEqual([0, 7, 50, -5, -1250, 123_456_789].map(decimal), [
		'0.00',
		'0.07',
		'0.50',
		'-0.05',
		'-12.50',
		'1234567.89',
	])
})

test('formatRupees groups lakhs and crores as in India', () => {
	assert.equal(formatRupees(1234567.5), '₹12,34,567.50')
})
