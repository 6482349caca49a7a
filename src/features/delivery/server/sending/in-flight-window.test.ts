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

test('the in-flight window assumes a latency of one second before the first answer', () => {
	assert.equal(createInFlightWindow().size(76), 76)
})

test('the in-flight window holds five seconds of the pace at most, however slow and uneven answers are', () => {
	assert.equal(measured([200, 30_000]).size(950), 4750)
})

test('the in-flight window shrinks when answers that took a second come in a tenth of it', () => {
	const window = createInFlightWindow()
	for (let answer = 0; answer < 100; answer++) window.measured(1000)
	assert.ok(window.size(80) >= 80)
	for (let answer = 0; answer < 200; answer++) window.measured(100)
	assert.equal(window.size(80), 16)
})
