import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitText, planText } from './limit-words.ts'

test('limitText names the limit, the free places and the quality', () => {
	const known = { perDay: 2000, left: 1420, quality: 'high' } as const
	assert.equal(
		limitText(known),
		'WhatsApp lets you start conversations with 2,000 people in 24 hours. 1,420 are left now. Quality: high.',
	)
	assert.match(limitText({ ...known, left: 1, quality: 'low' }), / 1 is left now\. Quality: low\.$/)
})

test('limitText states that a limit or quality is not known yet, and says "No limit" for an unlimited number', () => {
	const unknown = { perDay: null, left: null, quality: null }
	assert.equal(
		limitText(unknown),
		'WhatsApp has not reported yet with how many people you can start conversations in 24 hours. Quality: not rated yet.',
	)
	assert.equal(limitText({ perDay: -1, left: null, quality: 'medium' }), 'No limit. Quality: medium.')
})

test('planText names the people, the days and the end', () => {
	const until = '2026-12-02T05:10:00.000Z'
	assert.equal(planText(12_000, { days: 6, until }), '12,000 people: about 6 days, until 2 Dec 2026, 10:40 am IST')
	assert.equal(planText(1, { days: 1, until }), '1 person: less than a day, until 2 Dec 2026, 10:40 am IST')
})
