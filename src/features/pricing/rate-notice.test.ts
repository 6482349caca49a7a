import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateChangeNear } from './rate-notice.ts'

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
