import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInFlightWindow } from './in-flight-window.ts'

function measured(latencies: number[], times = 100) {
	const window = createInFlightWindow()
	for (let index = 0; index < times; index++) window.measured(latencies[index % latencies.length] ?? 0)
	return window
}

test('the in-flight window is pace × latency and a margin when answers take 400 ms', () => {
	const size = measured([400]).size(950)
	assert.ok(size >= 380 && size < 500, String(size))
})

test('the in-flight window covers the slowest answers when they take 200 to 900 ms', () => {
	const size = measured([200, 900, 550, 300, 800]).size(76)
	assert.ok(size >= 76 * 0.9 && size < 76 * 2, String(size))
})

test('the in-flight window stays small when answers come at once', () => {
	assert.equal(measured([5]).size(76), 16)
})

test('the in-flight window assumes a latency of a quarter of a second before the first answer', () => {
	assert.equal(createInFlightWindow().size(76), 19)
})

test('the in-flight window holds five seconds of the pace at most, however slow and uneven answers are', () => {
	assert.equal(measured([2000, 30_000]).size(950), 4750)
})

test('the in-flight window shrinks when answers that took a second come in a tenth of it', () => {
	const window = createInFlightWindow()
	for (let answer = 0; answer < 100; answer++) window.measured(1000)
	assert.ok(window.size(80) >= 80)
	for (let answer = 0; answer < 200; answer++) window.measured(100)
	assert.equal(window.size(80), 16)
})

/**
 * Sends for `seconds` to a network that takes `capacity` messages a second and adds `latencyMs`, as fast as pace and window
 * allow, in steps of 10 ms. Returns the number of messages sent and the maximum in flight.
 */
function simulated({
	pace,
	latencyMs,
	capacity = Infinity,
	seconds,
}: {
	pace: number
	latencyMs: (second: number) => number
	capacity?: number
	seconds: number
}) {
	const STEP_MS = 10
	let nowMs = 0
	const window = createInFlightWindow(() => nowMs)
	const waiting: { sentAtMs: number; dueAtMs: number }[] = []
	let [tokens, freeAtMs, sent, most] = [0, 0, 0, 0]
	for (; nowMs < seconds * 1000; nowMs += STEP_MS) {
		tokens = Math.min(tokens + (pace * STEP_MS) / 1000, pace / 10)
		waiting.sort((a, b) => a.dueAtMs - b.dueAtMs)
		while ((waiting[0]?.dueAtMs ?? Infinity) <= nowMs) window.measured(nowMs - (waiting.shift()?.sentAtMs ?? 0))
		while (tokens >= 1 && waiting.length < window.size(pace)) {
			freeAtMs = Math.max(freeAtMs, nowMs) + 1000 / capacity
			waiting.push({ sentAtMs: nowMs, dueAtMs: freeAtMs + latencyMs(nowMs / 1000) })
			tokens--
			sent++
		}
		most = Math.max(most, waiting.length)
	}
	return { sent, most }
}

for (const [title, latencyMs] of [
	['from the start', () => 400],
	['after five seconds of 20 ms', (second: number) => (second < 5 ? 20 : 400)],
] as const)
	test(`a sender of 950 messages a second keeps 95 % of its pace when answers take 400 ms ${title}`, () => {
		const { sent } = simulated({ pace: 950, latencyMs, seconds: 30 })
		assert.ok(sent >= 0.95 * 950 * 30, String(sent))
	})

test('a sender of 76 messages a second has fewer than 61 in flight when the network takes a third of its pace', () => {
	const { sent, most } = simulated({ pace: 76, latencyMs: () => 50, capacity: 25, seconds: 15 })
	assert.ok(most <= 76 * 0.8, String(most))
	assert.ok(sent >= 25 * 15, String(sent))
})

test('the in-flight window grows again when the network stays slow', () => {
	const { sent } = simulated({ pace: 80, latencyMs: (second) => (second < 5 ? 20 : 1500), seconds: 300 })
	assert.ok(sent >= 0.75 * 80 * 300, String(sent))
})
