import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, percent, plural } from './numbers.ts'

test('formatCount separates lakhs and crores as in India', () => {
	assert.equal(formatCount(0), '0')
	assert.equal(formatCount(1_234_567), '12,34,567')
})

test('plural uses the singular for one only, and a given irregular plural', () => {
	assert.equal(plural(1, 'contact'), '1 contact')
	assert.equal(plural(0, 'contact'), '0 contacts')
	assert.equal(plural(1234, 'user has', 'users have'), '1,234 users have')
})

test('percent shows at most one decimal below ten percent, and none from ten percent on', () => {
	assert.deepEqual([0, 0.0042, 0.05, 0.9397, 1].map(percent), ['0%', '0.4%', '5%', '94%', '100%'])
})
