import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { indianClock, indianDay } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS } from '#lib/durations.ts'
import { afterQuietHours, allowedAt, isQuiet, type SendingHours } from './rules.ts'

const afterQuiet = (at: string, from: string, until: string) =>
	new Date(afterQuietHours(Date.parse(`2026-11-${at}+05:30`), { from, until })).toISOString()

test('afterQuietHours returns the end of quiet hours within a day, and the given time before and after them', () => {
	assert.equal(afterQuiet('24T13:00:00', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
	assert.equal(afterQuiet('24T14:29:59', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
	assert.equal(afterQuiet('24T12:59:59', '13:00', '14:30'), '2026-11-24T07:29:59.000Z')
	assert.equal(afterQuiet('24T14:30:00', '13:00', '14:30'), '2026-11-24T09:00:00.000Z')
})

test('afterQuietHours of quiet hours over midnight returns the next morning for an evening, and the same morning for a time after midnight', () => {
	assert.equal(afterQuiet('24T21:00:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(afterQuiet('25T00:10:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(afterQuiet('25T09:00:00', '21:00', '09:00'), '2026-11-25T03:30:00.000Z')
	assert.equal(afterQuiet('25T20:59:00', '21:00', '09:00'), '2026-11-25T15:29:00.000Z')
})

test('afterQuietHours changes nothing without quiet hours', () => {
	assert.equal(afterQuietHours(7, null), 7)
})

const atOf = (hours: Partial<SendingHours>, at: string) =>
	new Date(
		allowedAt(
			{ dailyStart: null, firstDay: '2026-11-01', quiet: null, ...hours },
			Date.parse(`2026-11-${at}:00+05:30`),
		) +
			5.5 * HOUR_MS,
	)
		.toISOString()
		.slice(8, 16)

test('allowedAt waits for the daily start except on the first day, and for the daily start after quiet hours', () => {
	assert.equal(atOf({ dailyStart: '10:00' }, '24T08:00'), '24T10:00')
	assert.equal(atOf({ dailyStart: '10:00' }, '24T23:00'), '24T23:00')
	assert.equal(atOf({ dailyStart: '10:00', firstDay: '2026-11-24' }, '24T08:00'), '24T08:00')
	const quiet = { from: '22:00', until: '06:00' }
	assert.equal(atOf({ dailyStart: '10:00', quiet }, '24T23:00'), '25T10:00')
	assert.equal(atOf({ dailyStart: '10:00', quiet, firstDay: '2026-11-24' }, '24T23:00'), '25T10:00')
})

test('a daily start within quiet hours counts as their end', () => {
	const quiet = { from: '21:00', until: '09:00' }
	for (const dailyStart of ['21:00', '22:00', '23:59', '00:00', '08:59']) {
		assert.equal(atOf({ dailyStart, quiet }, '24T10:00'), '24T10:00', dailyStart)
		assert.equal(atOf({ dailyStart, quiet }, '24T21:30'), '25T09:00', dailyStart)
		assert.equal(atOf({ dailyStart, quiet }, '24T03:00'), '24T09:00', dailyStart)
	}
	assert.equal(atOf({ dailyStart: '14:00', quiet: { from: '13:00', until: '15:00' } }, '24T12:00'), '24T15:00')
})

const two = (value: number) => String(value).padStart(2, '0')
const clock = fc
	.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 30, 59))
	.map(([hour, minute]) => `${two(hour)}:${two(minute)}`)
const quietHours = fc.record({ from: clock, until: clock }).filter(({ from, until }) => from !== until)

test('whatever the daily start and the quiet hours are, a campaign may send within 24 hours of any time', () => {
	const hours = fc.record({ dailyStart: fc.option(clock), isFirstDay: fc.boolean(), quiet: fc.option(quietHours) })
	const second = fc.integer({ min: 0, max: 48 * 3600 })
	fc.assert(
		fc.property(hours, second, ({ isFirstDay, ...given }, after) => {
			const at = Date.parse('2026-11-24T00:00:00+05:30') + after * 1000
			const sending = { ...given, firstDay: isFirstDay ? indianDay(at) : '2026-11-01' }
			const allowed = allowedAt(sending, at)
			assert.ok(allowed >= at && allowed - at < DAY_MS)
			assert.equal(allowedAt(sending, allowed), allowed)
			assert.ok(!given.quiet || !isQuiet(indianClock(allowed), given.quiet))
		}),
		{ numRuns: 2000 },
	)
})
