import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationText, paceText } from './durations.ts'

test('durationText returns minutes, hours or days, rounded for planning', () => {
	const texts = [0, 59, 60, 1190, 3599, 3600, 11_100, 86_400, 300_000].map(durationText)
	assert.deepEqual(texts, [
		'less than a minute',
		'less than a minute',
		'about 1 min',
		'about 20 min',
		'about 1 h',
		'about 1 h',
		'about 3 h 5 min',
		'about 24 h',
		'about 3 days',
	])
})

test('paceText returns messages a minute below one a second, and at least one', () => {
	assert.deepEqual([80, 1234.4, 1, 0.5, 0.001].map(paceText), [
		'80 a second',
		'1,234 a second',
		'1 a second',
		'30 a minute',
		'1 a minute',
	])
})
