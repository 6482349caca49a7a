import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountProblem, firstAmount, offeredAmount, partsOf, type PaymentOptions } from './amounts.ts'

const OPTIONS: PaymentOptions = {
	presets: [500, 1000],
	min: 100,
	max: 100_000,
	gstPercent: 18,
	owed: 0,
	taxKind: 'cgst-sgst',
}

test('offeredAmount covers missing and owed money, at least the minimum and at most the maximum', () => {
	assert.equal(offeredAmount(450, OPTIONS), 450)
	assert.equal(offeredAmount(0.07, OPTIONS), 100)
	assert.equal(offeredAmount(450.1, { ...OPTIONS, owed: 700.2 }), 1150.3)
	assert.equal(offeredAmount(250_000, OPTIONS), 100_000)
})

test('firstAmount is the second preset, or the owed money when some is owed', () => {
	assert.equal(firstAmount(OPTIONS), 1000)
	assert.equal(firstAmount({ ...OPTIONS, presets: [500] }), 500)
	assert.equal(firstAmount({ ...OPTIONS, presets: [] }), null)
	assert.equal(firstAmount({ ...OPTIONS, owed: 30 }), 100)
})

test('partsOf adds the tax to the credit, and splits off the part that settles owed money', () => {
	assert.deepEqual(partsOf('1000', OPTIONS), { credit: 1000, tax: 180, total: 1180, settles: 0 })
	assert.deepEqual(partsOf('100.03', OPTIONS), { credit: 100.03, tax: 18, total: 118.03, settles: 0 })
	assert.deepEqual(partsOf('100.03', { ...OPTIONS, taxKind: 'igst' })?.tax, 18.01)
	assert.equal(partsOf('1000', { ...OPTIONS, owed: 700 })?.settles, 700)
	assert.equal(partsOf('500', { ...OPTIONS, owed: 700 })?.settles, 500)
	for (const typed of ['', '0', 'abc', '1e3', '-5', '1.005']) assert.equal(partsOf(typed, OPTIONS), null, typed)
})

test('amountProblem names the limits for an amount outside of them, and for a text that is no amount', () => {
	for (const typed of ['100', '100000', '512.5']) assert.equal(amountProblem(typed, OPTIONS), null, typed)
	for (const typed of ['99.99', '100000.01', '', 'abc', '10.005', '-500'])
		assert.equal(amountProblem(typed, OPTIONS), 'Enter an amount from ₹100.00 to ₹1,00,000.00', typed)
})
