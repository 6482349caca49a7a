import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRest, noteRequest } from './cooperative-yield.ts'

function work(ms: number): void {
	const end = performance.now() + ms
	while (performance.now() < end);
}

/** Keeps the process busy for `workMs`, then calls `rest` and returns how long it took, in milliseconds. */
async function restAfterWork(rest: () => Promise<void>, workMs: number): Promise<number> {
	await sleep(1)
	await rest()
	work(workMs)
	const startedAt = performance.now()
	await rest()
	return performance.now() - startedAt
}

/** Returns the shortest of five measurements, since a busy machine sometimes wakes a timer late. */
async function shortest(measure: () => Promise<number>): Promise<number> {
	let leastMs = Infinity
	for (let count = 0; count < 5; count += 1) leastMs = Math.min(leastMs, await measure())
	return leastMs
}

test('a rest takes as long as the preceding work when no other work rests, and no time when the process was idle', async () => {
	const rest = createRest()
	const restMs = await shortest(() => {
		noteRequest()
		return restAfterWork(rest, 20)
	})
	assert.ok(restMs >= 19 && restMs < 55, `${restMs} ms`)
	const idleMs = await shortest(async () => {
		await sleep(50)
		const startedAt = performance.now()
		await rest()
		return performance.now() - startedAt
	})
	assert.ok(idleMs < 45, 'what was waited for counts as work')
})

test('a rest takes three times as long for each task when several rest', async () => {
	const others = Array.from({ length: 2 }, () => createRest())
	await Promise.all(others.map((each) => each()))
	assert.ok((await restAfterWork(createRest(), 5)) >= 44)
})

test('a rest takes at most 100 ms, however busy the process is', async () => {
	const rest = createRest()
	const restMs = await shortest(() => {
		noteRequest()
		return restAfterWork(rest, 200)
	})
	assert.ok(restMs >= 99 && restMs < 150, `${restMs} ms`)
})

test('a rest takes one turn of the event loop when no request has come for a second', async () => {
	await sleep(1100)
	const rest = createRest()
	const restMs = await shortest(() => restAfterWork(rest, 50))
	assert.ok(restMs < 25, `${restMs} ms`)
})
