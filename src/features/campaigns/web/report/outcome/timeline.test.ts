import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cumulated } from './timeline.ts'

const none = { sent: 0, delivered: 0, read: 0, failed: 0, clicks: 0 }

test('cumulated starts with zeros and has the sums at the end of each span, in Indian time', () => {
	const rows = cumulated({
		spanSeconds: 60,
		spans: [
			{ ...none, at: '2026-11-21T04:45:00.000Z', sent: 100, failed: 2 },
			{ ...none, at: '2026-11-21T04:46:00.000Z', sent: 50, delivered: 90, read: 10 },
		],
	})
	assert.deepEqual(rows, [
		{ Time: '10:15 am', ...none },
		{ Time: '10:16 am', ...none, sent: 100, failed: 2 },
		{ Time: '10:17 am', sent: 150, delivered: 90, read: 10, failed: 2, clicks: 0 },
	])
})

test('cumulated repeats the sums for spans without events', () => {
	const rows = cumulated({
		spanSeconds: 3600,
		spans: [
			{ ...none, at: '2026-11-21T04:30:00.000Z', sent: 10 },
			{ ...none, at: '2026-11-21T07:30:00.000Z', read: 4 },
		],
	})
	assert.deepEqual(
		rows.map(({ Time, sent, read }) => [Time, sent, read]),
		[
			['10:00 am', 0, 0],
			['11:00 am', 10, 0],
			['12:00 pm', 10, 0],
			['1:00 pm', 10, 0],
			['2:00 pm', 10, 4],
		],
	)
})

test('cumulated labels rows with day and time when a campaign took several days, and only with the day for spans of a day', () => {
	const spans = [
		{ ...none, at: '2026-11-21T12:30:00.000Z', sent: 1 },
		{ ...none, at: '2026-11-22T00:30:00.000Z', sent: 1 },
	]
	assert.deepEqual(
		cumulated({ spanSeconds: 43_200, spans }).map(({ Time }) => Time),
		['21 Nov, 6:00 pm', '22 Nov, 6:00 am', '22 Nov, 6:00 pm'],
	)
	const [only] = spans
	assert.deepEqual(
		cumulated({ spanSeconds: 86_400, spans: only ? [only] : [] }).map(({ Time }) => Time),
		['21 Nov', '22 Nov'],
	)
})

test('cumulated returns no rows without spans', () => {
	assert.deepEqual(cumulated({ spanSeconds: 60, spans: [] }), [])
})
