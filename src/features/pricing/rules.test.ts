import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { HOME_MARKET, MARKET_IDS, type Market } from './markets.ts'
import {
	ABROAD_RULES,
	homePriceOf,
	isSameEverywhere,
	marketPriceOf,
	PRICE_CATEGORIES,
	priceCategoryOf,
	type PriceList,
	type RatesOfDay,
} from './rules.ts'

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

const ratesOf = (rateMicros: number, market: Market = 'AE'): RatesOfDay =>
	new Map([[market, { marketing: { rateMicros }, service: { rateMicros } }]])

const priceIn = (list: Partial<PriceList>, rates: RatesOfDay = new Map(), market: Market = 'AE') =>
	marketPriceOf({ ...LIST, ...list }, { category: 'marketing', market, rates })

test('rule card charges the rate with its percentage, rounded up to a paisa, and never less than the home price', () => {
	const cases: [rateMicros: number, percent: number, paise: number][] = [
		[3_661_300, 0, 367],
		[3_661_300, 10, 403],
		[3_660_000, 0, 366],
		[3_660_001, 0, 367],
		[1_000_000, 7, 107],
		[2_000_000, 500, 1200],
		[10_007_300, 15, 1151],
		[863_100, 0, 100],
		[1, 0, 100],
	]
	for (const [rateMicros, abroadPercent, paise] of cases)
		assert.equal(priceIn({ abroadRule: 'card', abroadPercent }, ratesOf(rateMicros)), paise, String(rateMicros))
})

test('rule card has no price for a market or a category without a known rate', () => {
	const list: PriceList = { ...LIST, abroadRule: 'card', abroadPercent: 500 }
	assert.equal(marketPriceOf(list, { category: 'marketing', market: 'NP', rates: ratesOf(1) }), 'no_rate')
	assert.equal(marketPriceOf(list, { category: 'utility', market: 'AE', rates: ratesOf(1) }), 'no_rate')
	assert.equal(marketPriceOf(list, { category: 'marketing', market: 'other', rates: new Map() }), 'no_rate')
})

test('a fixed price overrides each rule only for its market and category', () => {
	const fixedPrices = [{ market: 'AE', category: 'marketing', paise: 7 }] as const
	for (const abroadRule of ABROAD_RULES) {
		assert.equal(priceIn({ abroadRule, fixedPrices }), 7)
		assert.equal(
			marketPriceOf({ ...LIST, abroadRule, fixedPrices }, { category: 'utility', market: 'AE', rates: new Map() }),
			{ same: 30, card: 'no_rate', blocked: 'blocked' }[abroadRule],
		)
	}
})

test('replies that are free at home are free abroad under each rule, unless their market has a fixed price', () => {
	for (const abroadRule of ABROAD_RULES) {
		const service = (list: Partial<PriceList>) =>
			marketPriceOf({ ...LIST, abroadRule, ...list }, { category: 'service', market: 'AE', rates: ratesOf(500_000) })
		assert.equal(service({}), 0)
		assert.equal(service({ fixedPrices: [{ market: 'AE', category: 'service', paise: 60 }] }), 60)
		assert.equal(service({ servicePaise: 12 }), { same: 12, card: 50, blocked: 'blocked' }[abroadRule])
	}
})

test('authentication costs the utility price until it has its own, and unknown categories cost as utility', () => {
	assert.equal(homePriceOf(LIST, 'authentication'), 30)
	assert.equal(homePriceOf({ ...LIST, authenticationPaise: 0 }, 'authentication'), 0)
	const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'NEW_CATEGORY']
	assert.deepEqual(
		categories.map((category) => priceCategoryOf({ category })),
		['marketing', 'utility', 'authentication', 'utility'],
	)
})

const paise = fc.integer({ min: 0, max: 1_000_000 })
const anyList: fc.Arbitrary<PriceList> = fc.record({
	marketingPaise: paise,
	utilityPaise: paise,
	authenticationPaise: fc.option(paise),
	servicePaise: paise,
	abroadRule: fc.constantFrom(...ABROAD_RULES),
	abroadPercent: fc.integer({ min: 0, max: 500 }),
	passesOnFree: fc.boolean(),
	fixedPrices: fc.uniqueArray(
		fc.record({
			market: fc.constantFrom(...MARKET_IDS.filter((market) => market !== HOME_MARKET)),
			category: fc.constantFrom(...PRICE_CATEGORIES),
			paise,
		}),
		{ selector: ({ market, category }) => `${market} ${category}` },
	),
})
const anyCase = {
	category: fc.constantFrom(...PRICE_CATEGORIES),
	market: fc.constantFrom(...MARKET_IDS),
	rateMicros: fc.integer({ min: 1, max: 1_000_000_000 }),
}

test('for any list, rate and market a price is whole paise, covers the rate under rule card, and is exact to the paisa', () => {
	fc.assert(
		fc.property(anyList, fc.record(anyCase), (list, { category, market, rateMicros }) => {
			const rates: RatesOfDay = new Map([[market, { [category]: { rateMicros } }]])
			const price = marketPriceOf(list, { category, market, rates })
			const home = homePriceOf(list, category)
			if (market === HOME_MARKET) return price === home
			if (list.fixedPrices.some((one) => one.market === market && one.category === category)) return true
			if (list.abroadRule === 'blocked') return price === 'blocked' || (category === 'service' && home === 0)
			if (list.abroadRule === 'same' || (category === 'service' && home === 0)) return price === home
			if (typeof price !== 'number' || !Number.isSafeInteger(price)) return false
			const exact = BigInt(rateMicros) * BigInt(100 + list.abroadPercent)
			const covers = BigInt(price) * 1_000_000n >= exact
			return price >= home && covers && (price === home || BigInt(price - 1) * 1_000_000n < exact)
		}),
	)
})

test('isSameEverywhere is true only for lists under which each market costs the home price', () => {
	fc.assert(
		fc.property(anyList, anyCase.category, (list, category) => {
			if (!isSameEverywhere(list, category)) return true
			const home = homePriceOf(list, category)
			return MARKET_IDS.every((market) => marketPriceOf(list, { category, market, rates: new Map() }) === home)
		}),
	)
})
