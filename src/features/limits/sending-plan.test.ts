import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#lib/durations.ts'
import { cpuMs } from '#test/readers/cpu-time.ts'
import { planSending, type ToPlan } from './sending-plan.ts'

const NOW = Date.parse('2026-11-27T10:40:00+05:30')

const plan = (given: Partial<ToPlan>) =>
	planSending({
		people: 12_000,
		ahead: 0,
		now: NOW,
		startsAt: NOW,
		startedAt: null,
		perDay: 2000,
		left: 2000,
		freed: [],
		messagesPerSecond: 76,
		dailyStart: null,
		quiet: null,
		...given,
	})

/** Returns the day and hour of a plan's end in India. */
const endOf = (given: Partial<ToPlan>) => {
	const planned = plan(given)
	return (
		planned && [planned.days, new Date(new Date(planned.until).getTime() + 5.5 * HOUR_MS).toISOString().slice(0, 16)]
	)
}

test('planSending returns six days for 12,000 people under a limit of 2,000, which end five days after the start', () => {
	assert.deepEqual(endOf({}), [6, '2026-12-02T10:47'])
})

test('planSending returns one day for people who fit into the places left', () => {
	assert.deepEqual(endOf({ people: 1420, left: 1420 }), [1, '2026-11-27T10:40'])
})

test('planSending waits for the places of people who were reached earlier, and for the campaigns ahead', () => {
	const freed = [{ at: NOW + 3 * HOUR_MS, people: 2000 }]
	assert.deepEqual(endOf({ people: 2000, left: 0, freed }), [1, '2026-11-27T13:40'])
	assert.deepEqual(endOf({ people: 2000, ahead: 1500 }), [2, '2026-11-28T10:41'])
})

test('planSending continues at the daily start and outside quiet hours', () => {
	assert.deepEqual(endOf({ people: 3000, dailyStart: '15:00' }), [2, '2026-11-28T15:00'])
	assert.deepEqual(endOf({ people: 3000, quiet: { from: '09:00', until: '12:00' } }), [2, '2026-11-28T12:01'])
	assert.deepEqual(endOf({ people: 1000, startsAt: NOW + 5 * HOUR_MS, dailyStart: '18:00' }), [1, '2026-11-27T15:40'])
})

test('planSending estimates a million people under a limit of 250 in bounded time, and plans nothing under a limit of 0', () => {
	let days: number | undefined
	assert.ok(cpuMs(() => (days = plan({ people: 1_000_000, perDay: 250, left: 250 })?.days)) < 1000)
	assert.equal(days, 4000)
	assert.equal(plan({ perDay: 0, left: 0 }), null)
})
