import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBelowRate, marketsBelowRate, microsOfRate } from './below-rate.ts'
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

test('isBelowRate compares paise with a rate of six decimals exactly', () => {
	for (const [paise, rate, isBelow] of [
		[86, 0.8631, true],
		[87, 0.8631, false],
		[110, 1.1, false],
		[57, 0.57, false],
		[0, 0.000001, true],
	] as const)
		assert.equal(isBelowRate(paise, microsOfRate(rate)), isBelow, `${paise} ${rate}`)
})
