import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { HOUR_MS } from '#lib/durations.ts'
import { UnprovenBodies } from './unproven-bodies.ts'

/** Begins a body; `close` ends the response, as a sent answer or a closed connection does. */
function begin(bodies: UnprovenBodies, network: string) {
	const [request, response] = [new EventEmitter(), new EventEmitter()]
	const begun = bodies.begin(network, request as IncomingMessage, response as ServerResponse)
	let hasBegun = false
	begun.then(
		() => (hasBegun = true),
		() => {},
	)
	return { begun, hasBegun: () => hasBegun, close: () => response.emit('close') }
}

const settle = () => new Promise(setImmediate)

test('an unproven network has four bodies in flight, and the next one begins when one ends', async () => {
	const bodies = new UnprovenBodies()
	const calls = Array.from({ length: 6 }, () => begin(bodies, '198.51.100.7'))
	const other = begin(bodies, '198.51.100.8')
	await settle()
	assert.deepEqual(
		[...calls, other].map(({ hasBegun }) => hasBegun()),
		[true, true, true, true, false, false, true],
	)
	calls[0]?.close()
	await settle()
	assert.deepEqual([calls[4]?.hasBegun(), calls[5]?.hasBegun()], [true, false])
	for (const { close } of [...calls.toReversed(), other]) close()
	await assert.rejects(async () => calls[5]?.begun)
	const after = begin(bodies, '198.51.100.7')
	await after.begun
	after.close()
})

test('all unproven networks together have 32 bodies in flight, and a proven network never waits', async () => {
	let nowMs = 0
	const bodies = new UnprovenBodies(() => nowMs)
	const strangers = Array.from({ length: 10 }, (_, at) => [0, 1, 2, 3].map(() => begin(bodies, `203.0.113.${at}`)))
	await settle()
	assert.equal(strangers.flat().filter(({ hasBegun }) => hasBegun()).length, 32)
	bodies.prove('192.0.2.1')
	const known = Array.from({ length: 100 }, () => begin(bodies, '192.0.2.1'))
	await settle()
	assert.ok(known.every(({ hasBegun }) => hasBegun()))
	nowMs = 2 * HOUR_MS
	const late = begin(bodies, '192.0.2.1')
	await settle()
	assert.equal(late.hasBegun(), false, 'a signature proves its network for an hour')
	for (const { close } of [...strangers.flat(), late]) close()
	await Promise.allSettled([...strangers.flat(), late].map(({ begun }) => begun))
})

test('a call beyond the queue of its network is refused with a 503', async () => {
	const bodies = new UnprovenBodies()
	const calls = Array.from({ length: 105 }, () => begin(bodies, '198.51.100.9'))
	await assert.rejects(async () => calls[104]?.begun, { status: 503 })
	for (const { close } of calls) close()
	await Promise.allSettled(calls.map(({ begun }) => begun))
})
