import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFuzz } from './hostile/fuzz.ts'

// Short form of `npm run test:fuzz`, with the same requests in every run.
test('every endpoint answers 300 hostile or far too large requests with a result or a message, none in more than a second', async () => {
	const result = await runFuzz({ seed: 9, requests: 300, largeShare: 0.01 })
	assert.deepEqual(result.faults, [])
	assert.ok(result.longestTurnMs < 1000, `${result.longestTurnMs} ms`)
	assert.ok(result.heapAfter < result.heapBefore + 50e6, `${result.heapBefore} became ${result.heapAfter}`)
})
