import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureLimit } from './failure-limit.ts'

const LIMITS = { maxFailures: 2, maxInFlight: 3 }

test('FailureLimit.begin returns the seconds left of the minute after maxFailures failed attempts', () => {
	let now = 0
	const limit = createFailureLimit(LIMITS, () => now)
	for (const hasFailed of [true, false, true]) {
		assert.equal(limit.begin('a'), 0)
		limit.end('a', hasFailed)
	}
	now = 20_000
	assert.equal(limit.begin('a'), 40)
	assert.equal(limit.begin('b'), 0)
	now = 60_000
	assert.equal(limit.begin('a'), 0)
})

test('FailureLimit.begin returns 1 while maxInFlight attempts run, and 0 after one of them has succeeded', () => {
	const limit = createFailureLimit(LIMITS, () => 0)
	assert.deepEqual(
		[1, 2, 3, 4].map(() => limit.begin('a')),
		[0, 0, 0, 1],
	)
	limit.end('a', false)
	assert.equal(limit.begin('a'), 0)
})
