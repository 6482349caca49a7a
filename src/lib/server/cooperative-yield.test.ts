import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRest, noteRequest } from './cooperative-yield.ts'

function work(ms: number): void {
	const end = performance.now() + ms
	while (performance.now() < end);
}

interface Rest {
	/** Time that the rest took, in milliseconds. */
	restMs: number
	/** True if the rest ended before a timer that was started with it. Both are late on a busy machine, in the same order. */
	isInTime: boolean
}

async function measureRest(rest: () => Promise<void>, mostMs: number): Promise<Rest> {
	const startedAt = performance.now()
	const late = sleep(mostMs, false)
	const isInTime = await Promise.race([rest().then(() => true), late])
	const restMs = performance.now() - startedAt
	await late
	return { restMs, isInTime }
}

/** Keeps the process busy for `workMs`, then rests. */
async function restAfterWork(rest: () => Promise<void>, workMs: number, mostMs: number): Promise<Rest> {
	await sleep(1)
	await rest()
	work(workMs)
	return measureRest(rest, mostMs)
}

/** Returns true if one of ten rests is in time, since a busy machine sometimes stops the process during the work. */
async function isEverInTime(measure: () => Promise<Rest>, leastMs = 0): Promise<boolean> {
	for (let count = 0; count < 10; count += 1) {
		const { restMs, isInTime } = await measure()
		assert.ok(restMs >= leastMs, `${restMs} ms`)
		if (isInTime) return true
	}
	return false
}

test('a rest takes as long as the preceding work when no other work rests, and no time when the process was idle', async () => {
	const rest = createRest()
	const measure = () => {
		noteRequest()
		return restAfterWork(rest, 20, 55)
	}
	assert.ok(await isEverInTime(measure, 19))
	const measureIdle = async () => {
		await sleep(50)
		return measureRest(rest, 45)
	}
	assert.ok(await isEverInTime(measureIdle), 'what was waited for counts as work')
})

test('a rest takes three times as long for each task when several rest', async () => {
	const others = Array.from({ length: 2 }, () => createRest())
	await Promise.all(others.map((each) => each()))
	const { restMs } = await restAfterWork(createRest(), 5, 45)
	assert.ok(restMs >= 44, `${restMs} ms`)
})

test('a rest takes at most 100 ms, however busy the process is', async () => {
	const rest = createRest()
	const measure = () => {
		noteRequest()
		return restAfterWork(rest, 200, 150)
	}
	assert.ok(await isEverInTime(measure, 99))
})

test('a rest takes one turn of the event loop when no request has come for a second', async () => {
	await sleep(1100)
	const rest = createRest()
	assert.ok(await isEverInTime(() => restAfterWork(rest, 50, 25)))
})
