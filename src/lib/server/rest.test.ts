import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRest, noteRequest } from './rest.ts'

function work(ms: number): void {
	const end = performance.now() + ms
	while (performance.now() < end);
}

/** Rests after the process was busy for so long; returns for how long. */
async function restAfterWork(rest: () => Promise<void>, workMs: number): Promise<number> {
	await sleep(1)
	await rest()
	work(workMs)
	const startedAt = performance.now()
	await rest()
	return performance.now() - startedAt
}

test('a rest takes as long as the process was busy since the one before when no other work rests, and none when it was idle', async () => {
	const rest = createRest()
	const restsMs = []
	for (let count = 0; count < 5; count += 1) {
		noteRequest()
		restsMs.push(await restAfterWork(rest, 20))
	}
	// A busy machine wakes a sleeper late, though not every time.
	assert.ok(Math.min(...restsMs) >= 19 && Math.min(...restsMs) < 55, `${restsMs.join()} ms`)
	await sleep(50)
	const startedAt = performance.now()
	await rest()
	assert.ok(performance.now() - startedAt < 45, 'what was waited for counts as work')
})

test('a rest takes three times as long for each work when several rest', async () => {
	const others = Array.from({ length: 2 }, () => createRest())
	await Promise.all(others.map((each) => each()))
	assert.ok((await restAfterWork(createRest(), 5)) >= 44)
})

test('a rest takes 100 ms at most, however busy the process is', async () => {
	assert.ok((await restAfterWork(createRest(), 200)) < 150)
})

test('a rest lasts for one turn when nobody has asked for anything for a second', async () => {
	await sleep(1100)
	const rest = createRest()
	const restsMs = []
	for (let count = 0; count < 5; count += 1) restsMs.push(await restAfterWork(rest, 50))
	assert.ok(Math.min(...restsMs) < 25, `${restsMs.join()} ms`)
})
