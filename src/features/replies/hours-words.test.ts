import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoursInWords } from './hours-words.ts'

const OPEN = { from: '10:00', until: '19:00' }

test('hoursInWords joins days with equal hours, and counts closed days from today on', () => {
	const week = [OPEN, OPEN, OPEN, OPEN, OPEN, { from: '10:00', until: '14:00' }, null]
	assert.equal(
		hoursInWords({ week, closedDays: ['2026-11-08', '2026-11-09'] }, '2026-11-09'),
		'Mon–Fri 10:00 am–7:00 pm, Sat 10:00 am–2:00 pm, Sun closed, and closed on 1 more day',
	)
})

test('hoursInWords names every day at once, and hours of a whole day', () => {
	const words = ['00:00', '10:00'].map((clock) => {
		const week = Array.from({ length: 7 }, () => ({ from: clock, until: clock }))
		return hoursInWords({ week, closedDays: [] }, '2026-11-09')
	})
	assert.deepEqual(words, ['Every day all day', 'Every day 24 hours from 10:00 am'])
})
