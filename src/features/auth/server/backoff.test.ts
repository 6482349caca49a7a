import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackoff } from './backoff.ts'

/** Tries every `stepMs` from 0 on, and says how long each had to wait. */
function waits(stepMs: number, count: number): number[] {
	let now = 0
	const backoff = createBackoff(5, () => now)
	return Array.from({ length: count }, () => {
		const wait = backoff.attempt('a@example.com')
		now += stepMs
		return wait
	})
}

test('five tries are free, then the next one waits', () => {
	assert.deepEqual(waits(0, 7), [0, 0, 0, 0, 0, 1, 1])
})

test('the wait doubles up to half a minute, and trying meanwhile does not prolong it', () => {
	let now = 0
	const backoff = createBackoff(5, () => now)
	const seen: number[] = []
	for (let taken = 0; taken < 13; now += 250) {
		const wait = backoff.attempt('a@example.com')
		if (wait === 0) taken++
		else if (wait !== seen.at(-1)) seen.push(wait)
	}
	const longest = seen.filter((wait, i) => wait > (seen[i - 1] ?? 0))
	assert.deepEqual(longest, [1, 2, 4, 8, 16, 30, 30, 30])
})

test('each key waits for its own tries', () => {
	const backoff = createBackoff(5, () => 0)
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	assert.equal(backoff.attempt('a@example.com'), 1)
	assert.equal(backoff.attempt('b@example.com'), 0)
})

test('the right password, or a quarter of an hour, forgets the tries', () => {
	let now = 0
	const backoff = createBackoff(5, () => now)
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	backoff.clear('a@example.com')
	assert.equal(backoff.attempt('a@example.com'), 0)
	for (let n = 0; n < 5; n++) backoff.attempt('a@example.com')
	now += 15 * 60_000
	for (let n = 0; n < 5; n++) assert.equal(backoff.attempt('a@example.com'), 0)
})
