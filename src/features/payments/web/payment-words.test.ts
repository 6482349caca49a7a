import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_STATES } from '#features/payments/contract.ts'
import { methodName } from '#features/wallet/rules.ts'
import { wordsOf } from './payment-words.ts'

const PAID = { state: 'paid', amount: 1000, total: 1180, refunded: 0, problem: null } as const

test('wordsOf has a title and a label for each state', () => {
	const titles = PAYMENT_STATES.map((state) => wordsOf({ ...PAID, state }).title)
	assert.equal(new Set(titles).size, PAYMENT_STATES.length, titles.join(', '))
	assert.deepEqual(wordsOf(PAID), { label: 'Paid', tone: 'ok', title: '₹1,000.00 added', text: '' })
})

test('wordsOf names the refunded part of a payment', () => {
	const { label, title, text } = wordsOf({ ...PAID, refunded: 590 })
	assert.deepEqual([label, title], ['Partly refunded', '₹590.00 refunded'])
	assert.match(text, /^₹590.00 of ₹1,180.00 went back to you/)
})

test('wordsOf never says that money was added for another amount or currency, and says once for a double payment', () => {
	for (const problem of ['amount', 'currency'] as const) {
		const { label, text } = wordsOf({ ...PAID, state: 'created', problem })
		assert.equal(label, 'Being checked')
		assert.match(text, /so no money was added yet\. Your administrator has been notified\.$/)
	}
	assert.match(wordsOf({ ...PAID, problem: 'paid-twice' }).text, /₹1,000.00 was added once/)
})

test('methodName returns the usual name of a method, and an unknown one unchanged', () => {
	assert.equal(methodName('upi'), 'UPI')
	assert.equal(methodName('cod'), 'cod')
	assert.equal(methodName(null), null)
})
