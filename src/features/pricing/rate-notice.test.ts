import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costWithTax, isBelowRate, rateChangeNear } from './rate-notice.ts'

test('rateChangeNear returns the first day of a quarter from 14 days before it until 14 days after it', () => {
	const days: [day: string, change: string | null][] = [
		['2026-12-17', null],
		['2026-12-18', '2027-01-01'],
		['2027-01-01', '2027-01-01'],
		['2027-01-14', '2027-01-01'],
		['2027-01-15', null],
		['2027-03-17', null],
		['2027-03-18', '2027-04-01'],
		['2027-06-17', '2027-07-01'],
		['2027-09-17', '2027-10-01'],
		['2027-11-26', null],
	]
	for (const [day, change] of days) assert.equal(rateChangeNear(day), change, day)
})

test('isBelowRate compares paise with a rate of six decimals exactly', () => {
	for (const [paise, rate, isBelow] of [
		[86, 0.8631, true],
		[87, 0.8631, false],
		[110, 1.1, false],
		[57, 0.57, false],
		[0, 0.000001, true],
	] as const)
		assert.equal(isBelowRate(paise, rate), isBelow, `${paise} ${rate}`)
})

test('costWithTax adds 18% and rounds up to a paisa', () => {
	assert.deepEqual([0.8631, 0.115, 1, 0].map(costWithTax), [1.02, 0.14, 1.18, 0])
})
