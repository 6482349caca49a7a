import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_OPTIONS } from './soak/options.ts'
import { findFailures, type Outcome } from './soak/outcome.ts'

const OPTIONS = { ...DEFAULT_OPTIONS, seed: '', log: () => {} }
const SOUND: Outcome = {
	messages: 1000,
	accepted: 990,
	duplicates: [],
	lost: { stuck: 0, acceptedButFailed: 0, neverAccepted: 0, statusUpdatesLost: 0 },
	givenUp: { received: 0, notReceived: 10 },
	refused: 0,
	drift: [],
	unfinished: [],
}
const NETWORK = { counts: { reset: 24, 'half-close': 60 }, mayBeLost: 5, unanswered: 7, http2Calls: 0 }

test('findFailures reports a rare connection fault, and the use of HTTP/2', () => {
	assert.deepEqual(findFailures(SOUND, NETWORK, OPTIONS), [])
	const rare = { ...NETWORK, counts: { reset: 23, 'half-close': 60 } }
	assert.deepEqual(findFailures(SOUND, rare, OPTIONS), ['too rare to prove anything: reset, 23 times'])
	assert.equal(findFailures(SOUND, { ...NETWORK, http2Calls: 1 }, OPTIONS).length, 1)
})

test('findFailures reports more given-up messages than the network may have lost plus 1 %', () => {
	const enough = { ...SOUND, givenUp: { received: 0, notReceived: 15 } }
	assert.deepEqual(findFailures(enough, NETWORK, OPTIONS), [])
	const tooMany = { ...SOUND, givenUp: { received: 0, notReceived: 16 } }
	assert.equal(findFailures(tooMany, NETWORK, OPTIONS).length, 1)
})
