import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_OPTIONS } from './soak/options.ts'
import { runSoak } from './soak/soak.ts'

// Short form of `npm run soak:crash`, with the same events in every run.
test('a soak that breaks workers, http, PostgreSQL and connections at random sends no message twice, loses none and leaves none unpaid', async (t) => {
	const result = await runSoak({
		...DEFAULT_OPTIONS,
		seed: 'brief',
		workers: 2,
		senders: 8,
		recipients: 60,
		events: 5,
		gapMs: 2000,
		unknownAfterSeconds: 10,
		deadlineMs: 300_000,
		// The short form has seven times as many events for each message as the long one.
		maxGivenUp: 0.05,
		connectionFaults: { probability: 0.05, times: 3, minTimes: 1 },
		log: (line) => t.diagnostic(line),
	})
	assert.deepEqual(result.failures, [])
	assert.equal(result.messages, 480)
})
