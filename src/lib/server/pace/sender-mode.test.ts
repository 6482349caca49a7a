import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetworkState, SenderMode } from './sender-mode.ts'

/** The number of messages that pace and latency allow. */
const FREE = 50
const WORK = { hasWork: true, isFull: false }
const NO_WORK = { hasWork: false, isFull: false }

function modes(count: number) {
	const clock = { now: 1000 }
	const network = createNetworkState()
	return { clock, all: Array.from({ length: count }, () => new SenderMode(network, () => clock.now)) }
}
const failTimes = (mode: SenderMode, times: number, clock: { now: number }) => {
	let opened = false
	for (let index = 0; index < times; index++) opened = mode.failed('silent', clock.now) || opened
	return opened
}

test('a sender probes after five failures in a row, and not when a verdict comes in between', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	assert.equal(failTimes(mode, 4, clock), false)
	mode.succeeded(clock.now)
	assert.equal(failTimes(mode, 4, clock), false)
	assert.equal(mode.room(FREE), FREE)
	assert.equal(failTimes(mode, 1, clock), true)
	assert.deepEqual([mode.name, mode.room(FREE)], ['probing', 0])
})

test('a sender probes after the first refusal that limits the whole account', () => {
	const { clock, all } = modes(1)
	assert.equal(all[0]?.failed('limited', clock.now), true)
})

test('in an outage one message is sent as a probe a few seconds later, and the next only after its outcome', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	failTimes(mode, 5, clock)
	clock.now += 4001
	assert.equal(mode.room(FREE), 1)
	mode.sent()
	clock.now += 60_000
	assert.equal(mode.room(FREE), 0)
	mode.failed('silent', clock.now)
	assert.equal(mode.room(FREE), 1)
	mode.sent()
	mode.failed('silent', clock.now)
	assert.equal(mode.room(FREE), 0)
	clock.now += 4001
	assert.equal(mode.room(FREE), 1)
})

test('a verdict on the probe ends the outage, and late failures of the outage do not begin another', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	const before = clock.now
	failTimes(mode, 5, clock)
	clock.now += 5000
	mode.sent()
	assert.equal(mode.succeeded(clock.now), true)
	for (let index = 0; index < 20; index++) mode.failed('silent', before)
	assert.equal(mode.name, 'sending')
})

test('of all senders in one outage, one at a time sends a probe', () => {
	const { clock, all } = modes(10)
	for (const mode of all) failTimes(mode, 5, clock)
	clock.now += 15_000
	const probing = all.filter((mode) => {
		const may = mode.room(FREE) === 1
		if (may) mode.sent()
		return may
	})
	assert.equal(probing.length, 1)
})

test('the other senders probe within seconds after one has got through, however long the outage was', () => {
	const { clock, all } = modes(4)
	for (const mode of all) failTimes(mode, 5, clock)
	const [first, second] = all as [SenderMode, SenderMode]
	for (let probe = 0; probe < 40; probe++) {
		clock.now += 31_000
		second.sent()
		second.failed('silent', clock.now)
	}
	clock.now += 1
	first.succeeded(clock.now)
	clock.now += 4001
	assert.equal(second.room(FREE), 1)
})

test('a probe that was not sent does not lengthen the time to the next one', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	failTimes(mode, 5, clock)
	for (let probe = 0; probe < 100; probe++) {
		mode.sent()
		mode.abandoned()
	}
	mode.sent()
	mode.failed('silent', clock.now)
	assert.equal(mode.probeInMs(), 4000)
})

test('probes are four seconds apart at first, further apart the longer the outage lasts, and never more than thirty', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	failTimes(mode, 5, clock)
	const waits = Array.from({ length: 40 }, () => {
		clock.now += mode.probeInMs()
		mode.sent()
		mode.failed('silent', clock.now)
		return mode.probeInMs()
	})
	assert.deepEqual(new Set(waits.slice(0, 15)), new Set([4000]))
	assert.deepEqual(waits.slice(15, 18).map(Math.round), [5200, 6760, 8788])
	assert.deepEqual(new Set(waits.slice(25).map(Math.round)), new Set([30_000]))
})

test('an outage of one sender leaves the other senders sending', () => {
	const { clock, all } = modes(3)
	const [broken, sound] = all as [SenderMode, SenderMode]
	failTimes(broken, 5, clock)
	sound.succeeded(clock.now)
	assert.deepEqual([broken.room(FREE), sound.room(FREE)], [0, FREE])
})

test('a sender is idle without work and sends with it, and an answer wakes its loop only while nothing more may be sent', () => {
	const [mode] = modes(1).all as [SenderMode]
	const seen = [NO_WORK, WORK, { hasWork: true, isFull: true }, NO_WORK].map((work) => {
		mode.turn(work)
		return [mode.name, mode.awaitsAnswer()]
	})
	assert.deepEqual(seen, [
		['idle', false],
		['sending', false],
		['sending', true],
		['idle', false],
	])
})

test('a sender drains after ten seconds without work, also in an outage, and not before', () => {
	const { clock, all } = modes(2)
	const [mode, inOutage] = all as [SenderMode, SenderMode]
	failTimes(inOutage, 5, clock)
	for (const one of all) one.turn(WORK)
	clock.now += 9999
	for (const one of all) one.turn(NO_WORK)
	assert.deepEqual([mode.name, inOutage.name], ['idle', 'probing'])
	clock.now += 1
	for (const one of all) one.turn(NO_WORK)
	assert.deepEqual([mode.name, inOutage.name], ['draining', 'draining'])
})

test('a sender that drains sends nothing more, whatever work and outcomes come', () => {
	const { clock, all } = modes(1)
	const [mode] = all as [SenderMode]
	mode.turn(WORK)
	mode.drain()
	mode.turn(WORK)
	assert.deepEqual([mode.succeeded(clock.now), failTimes(mode, 5, clock)], [false, false])
	assert.deepEqual([mode.name, mode.room(FREE), mode.awaitsAnswer()], ['draining', 0, true])
})

test('senders that drain do not count among those without a verdict', () => {
	const { clock, all } = modes(3)
	for (const mode of all) failTimes(mode, 5, clock)
	const [probing, left, right] = all as [SenderMode, SenderMode, SenderMode]
	clock.now += 15_000
	left.sent()
	assert.equal(probing.room(FREE), 0)
	left.drain()
	right.drain()
	assert.equal(probing.room(FREE), 1)
})
