import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatValue, kindOf, usualFormat } from './values.ts'

for (const [value, format, written] of [
	['8276075.02', 'rupees', '₹82,76,075.02'],
	['1250', 'rupees', '₹1,250.00'],
	['-99.5', 'rupees', '-₹99.50'],
	['8276075.020', 'grouped', '82,76,075.020'],
	['1250', 'grouped', '1,250'],
	['0412', 'grouped', '0412'],
	['9198765432101', 'grouped', '9198765432101'],
	['twelve', 'rupees', 'twelve'],
	['8276075.02', 'typed', '8276075.02'],
	['2026-11-25', 'day', '25 Nov 2026'],
	['2026-11-25 17:45', 'day', '25 Nov 2026, 5:45 pm'],
	['2026-11-25', 'slashes', '25/11/2026'],
	['2026-11-25 17:45', 'slashes', '25/11/2026 17:45'],
	['25-Nov-26', 'day', '25 Nov 2026'],
	['25-Nov-26', 'typed', '25-Nov-26'],
	['5th Dec 2026', 'slashes', '05/12/2026'],
	['2026-13-25', 'day', '2026-13-25'],
	['tomorrow', 'slashes', 'tomorrow'],
] as const)
	test(`formatValue writes ${value} as ${written} in the format ${format}`, () => {
		assert.equal(formatValue(value, format), written)
	})

test('kindOf returns number or date when all values are, and null for texts, codes with a leading zero and no values', () => {
	assert.equal(kindOf(['1', '2.50', '-3']), 'number')
	assert.equal(kindOf(['2026-11-25', '2026-11-25 17:45']), 'date')
	assert.equal(kindOf(['25-Nov-26', '05/12/2026']), 'date')
	for (const values of [[], ['1', '012'], ['2026-11-25', 'soon'], ['2026-02-31x']]) assert.equal(kindOf(values), null)
})

test('usualFormat returns rupees when the name is about money, grouped for decimals, and typed for codes', () => {
	assert.equal(usualFormat('number', 'Amount due', ['5']), 'rupees')
	assert.equal(usualFormat('number', 'Weight', ['5', '2.5']), 'grouped')
	assert.equal(usualFormat('number', 'PIN code', ['411001']), 'typed')
	assert.equal(usualFormat('date', 'Due', ['2026-11-25']), 'day')
	assert.equal(usualFormat('date', 'Due', ['25-Nov-26', '2026-11-25']), 'typed')
})
