import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoursInWords } from './hours-words.ts'

const OPEN = { from: '10:00', until: '19:00' }

test('hoursInWords joins days with equal hours, and counts closed days', () => {
	const week = [OPEN, OPEN, OPEN, OPEN, OPEN, { from: '10:00', until: '14:00' }, null]
	assert.equal(
		hoursInWords({ week, closedDays: ['2026-11-09'] }),
		'Mon–Fri 10:00 am–7:00 pm, Sat 10:00 am–2:00 pm, Sun closed, and closed on 1 more day',
	)
})

test('hoursInWords names every day at once, and hours of a whole day', () => {
	const week = Array.from({ length: 7 }, () => ({ from: '00:00', until: '00:00' }))
	assert.equal(hoursInWords({ week, closedDays: [] }), 'Every day all day')
})
