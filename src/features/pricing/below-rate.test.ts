import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketsBelowRate } from './below-rate.ts'
import type { PriceList, RatesOfDay } from './rules.ts'

const LIST: PriceList = {
	marketingPaise: 100,
	utilityPaise: 30,
	authenticationPaise: null,
	servicePaise: 0,
	abroadRule: 'same',
	abroadPercent: 0,
	fixedPrices: [],
	passesOnFree: false,
}
const RATES: RatesOfDay = new Map([
	['IN', { marketing: { rateMicros: 9_000_000 } }],
	['AE', { marketing: { rateMicros: 3_661_300 } }],
	['TR', { marketing: { rateMicros: 1_000_000 } }],
	['other', { marketing: { rateMicros: 1_000_001 } }],
	['DE', { utility: { rateMicros: 4_032_200 } }],
])

test('marketsBelowRate returns markets abroad whose price is below a known rate, by category', () => {
	assert.deepEqual(marketsBelowRate(LIST, 'marketing', RATES), ['AE', 'other'])
	assert.deepEqual(marketsBelowRate(LIST, 'utility', RATES), ['DE'])
	assert.deepEqual(marketsBelowRate(LIST, 'marketing', new Map()), [])
})

test('marketsBelowRate returns no market under rules `card` and `blocked`, but one with a fixed price below its rate', () => {
	assert.deepEqual(marketsBelowRate({ ...LIST, abroadRule: 'card' }, 'marketing', RATES), [])
	const fixedPrices = [{ market: 'AE', category: 'marketing', paise: 366 }] as const
	assert.deepEqual(marketsBelowRate({ ...LIST, abroadRule: 'blocked', fixedPrices }, 'marketing', RATES), ['AE'])
})
