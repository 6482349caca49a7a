import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MARKET_IDS, marketName } from '#features/pricing/markets.ts'
import { isFound } from './market-search.ts'

const found = (search: string) => MARKET_IDS.filter((market) => isFound({ market, name: marketName(market) }, search))

test('isFound finds a market by its name, a country, a calling code and a number', () => {
	assert.deepEqual(found(' united ARAB '), ['AE'])
	assert.deepEqual(found('japan'), ['rest-of-asia-pacific'])
	assert.deepEqual(found('+971 50 123-4567'), ['AE'])
	assert.deepEqual(found('82'), ['other'])
	assert.deepEqual(found('nowhere'), [])
	assert.equal(found('').length, 47)
})
