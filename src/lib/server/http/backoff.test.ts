import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '#lib/durations.ts'
import { createBackoff } from './backoff.ts'

/** Attempts every `stepMs` from 0 on. Returns the wait of each attempt in seconds. */
function waits(stepMs: number, count: number): number[] {
	let now = 0
	const backoff = createBackoff(5, { now: () => now })
	return Array.from({ length: count }, () => {
		const wait = backoff.attempt('a@example.com')
		now += stepMs
		return wait
	})
}

test('Backoff.attempt returns 0 for the five free attempts and a wait for the next one', () => {
	assert.deepEqual(waits(0, 7), [0, 0, 0, 0, 0, 1, 1])
})

test('Backoff.attempt doubles the wait up to half a minute, and an attempt during the wait does not prolong it', () => {
	let now = 0
	const backoff = createBackoff(5, { now: () => now })
	const seen: number[] = []
	for (let taken = 0; taken < 13; now += 250) {
		const wait = backoff.attempt('a@example.com')
		if (wait === 0) taken++
		else if (wait !== seen.at(-1)) seen.push(wait)
	}
	const longest = seen.filter((wait, i) => wait > (seen[i - 1] ?? 0))
	assert.deepEqual(longest, [1, 2, 4, 8, 16, 30, 30, 30])
})

test('Backoff.attempt returns 0 for a key while another key has used up its free attempts', () => {
	const backoff = createBackoff(5, { now: () => 0 })
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	assert.equal(backoff.attempt('a@example.com'), 1)
	assert.equal(backoff.attempt('b@example.com'), 0)
})

test('Backoff.attempt returns 0 again after clear, or after a quarter of an hour without attempts', () => {
	let now = 0
	const backoff = createBackoff(5, { now: () => now })
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	backoff.clear('a@example.com')
	assert.equal(backoff.attempt('a@example.com'), 0)
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	now += 15 * MINUTE_MS
	for (let n = 0; n < 5; n++) assert.equal(backoff.attempt('a@example.com'), 0)
})
