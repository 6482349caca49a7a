import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeLeft } from './time-left.ts'

test('timeLeft names the two largest units, leaves out zeros, and says when the offer has ended', () => {
	const minute = 60_000
	const cases: [ms: number, text: string][] = [
		[(2 * 1440 + 4 * 60 + 10) * minute, 'Ends in 2 d 4 h'],
		[1440 * minute, 'Ends in 1 d'],
		[(3 * 60 + 5) * minute, 'Ends in 3 h 5 min'],
		[59_999, 'Ends in less than 1 min'],
		[0, 'Offer ended'],
		[-minute, 'Offer ended'],
	]
	assert.deepEqual(
		cases.map(([ms]) => timeLeft(ms)),
		cases.map(([, text]) => text),
	)
})
