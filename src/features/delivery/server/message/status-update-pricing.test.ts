import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChargedType, readPricing } from './status-update.ts'

test('readPricing reads category and type in lower case, and keeps values that Meta adds', () => {
	const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
	assert.deepEqual(readPricing(pricing), { category: 'utility', type: 'regular' })
	assert.deepEqual(readPricing({ type: 'FREE_VOICE', category: 'Holo gram|s' }), {
		category: 'holo_gram_s',
		type: 'free_voice',
	})
	assert.equal(readPricing({ type: 'x'.repeat(90), category: 'utility' })?.type.length, 40)
})

test('readPricing counts the category of the marketing route as marketing', () => {
	assert.deepEqual(readPricing({ type: 'regular', category: 'marketing_lite' }), {
		category: 'marketing',
		type: 'regular',
	})
})

test('readPricing takes the type from `billable` where it is missing, and the exemption from the subtype', () => {
	assert.equal(readPricing({ billable: true, category: 'utility' })?.type, 'regular')
	assert.equal(readPricing({ billable: false, category: 'utility' })?.type, 'not_billable')
	assert.equal(readPricing({ type: 'regular', subtype: 'paid_exempt', category: 'service' })?.type, 'paid_exempt')
})

test('readPricing returns null without a category, and without both type and `billable`', () => {
	for (const value of [
		null,
		undefined,
		'regular',
		[],
		{},
		{ type: 'regular' },
		{ category: 'utility' },
		{ type: 1, category: {} },
	])
		assert.equal(readPricing(value), null, JSON.stringify(value))
})

test('isChargedType returns null for an unknown type, and false for each free one', () => {
	assert.equal(isChargedType('regular'), true)
	for (const type of ['free_customer_service', 'free_entry_point', 'free_voice', 'not_billable', 'paid_exempt'])
		assert.equal(isChargedType(type), false, type)
	assert.equal(isChargedType('discounted'), null)
})
