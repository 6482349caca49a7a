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

test('readPricing returns a type whose charge is the same for campaigns, replies and margins, for each type and `billable`', () => {
	const CASES: [
		type: string | undefined,
		billable: boolean | undefined,
		read: string | undefined,
		isCharged?: boolean | null,
	][] = [
		[undefined, undefined, undefined],
		[undefined, true, 'regular', true],
		[undefined, false, 'not_billable', false],
		['regular', undefined, 'regular', true],
		['regular', true, 'regular', true],
		['regular', false, 'not_billable', false],
		['free_customer_service', undefined, 'free_customer_service', false],
		['free_customer_service', true, 'free_customer_service', false],
		['free_customer_service', false, 'free_customer_service', false],
		['free_voice', undefined, 'free_voice', false],
		['free_voice', true, 'free_voice', false],
		['free_voice', false, 'free_voice', false],
		['barter', undefined, 'barter', null],
		['barter', true, 'barter', null],
		['barter', false, 'not_billable', false],
	]
	for (const [type, billable, expected, isCharged] of CASES) {
		const read = readPricing({ type, billable, category: 'utility' })
		assert.equal(read?.type, expected, `${type} ${billable}`)
		if (read) assert.equal(isChargedType(read.type), isCharged, `${type} ${billable}`)
	}
})

test('readPricing takes the exemption from the subtype, whatever `billable` and the type say', () => {
	for (const billable of [undefined, true, false])
		for (const type of [undefined, 'regular', 'barter'])
			assert.equal(
				readPricing({ billable, type, subtype: 'paid_exempt', category: 'service' })?.type,
				'paid_exempt',
				`${type} ${billable}`,
			)
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
