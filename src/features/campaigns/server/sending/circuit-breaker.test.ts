import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCircuitBreaker, createNetworkState } from './circuit-breaker.ts'

function breakers(count: number) {
	const clock = { now: 1000 }
	const network = createNetworkState()
	return { clock, all: Array.from({ length: count }, () => createCircuitBreaker(network, () => clock.now)) }
}
type Breaker = ReturnType<typeof createCircuitBreaker>
const failTimes = (breaker: Breaker, times: number, clock: { now: number }) => {
	let opened = false
	for (let index = 0; index < times; index++) opened = breaker.failed('silent', clock.now) || opened
	return opened
}

test('the breaker opens after five failures in a row, and not when a verdict comes in between', () => {
	const { clock, all } = breakers(1)
	const [breaker] = all as [Breaker]
	assert.equal(failTimes(breaker, 4, clock), false)
	breaker.succeeded(clock.now)
	assert.equal(failTimes(breaker, 4, clock), false)
	assert.equal(breaker.allowance(), Infinity)
	assert.equal(failTimes(breaker, 1, clock), true)
	assert.deepEqual([breaker.outage(), breaker.allowance()], ['silent', 0])
})

test('the breaker opens at the first refusal that limits the whole account', () => {
	const { clock, all } = breakers(1)
	assert.equal(all[0]?.failed('limited', clock.now), true)
})

test('an open breaker sends one message as a probe a few seconds later, and the next only after its outcome', () => {
	const { clock, all } = breakers(1)
	const [breaker] = all as [Breaker]
	failTimes(breaker, 5, clock)
	clock.now += 4001
	assert.equal(breaker.allowance(), 1)
	breaker.probing()
	clock.now += 60_000
	assert.equal(breaker.allowance(), 0)
	breaker.failed('silent', clock.now)
	assert.equal(breaker.allowance(), 1)
	breaker.probing()
	breaker.failed('silent', clock.now)
	assert.equal(breaker.allowance(), 0)
	clock.now += 4001
	assert.equal(breaker.allowance(), 1)
})

test('a verdict on the probe closes the breaker, and late failures of the outage do not open it again', () => {
	const { clock, all } = breakers(1)
	const [breaker] = all as [Breaker]
	const before = clock.now
	failTimes(breaker, 5, clock)
	clock.now += 5000
	breaker.probing()
	assert.equal(breaker.succeeded(clock.now), true)
	for (let index = 0; index < 20; index++) breaker.failed('silent', before)
	assert.equal(breaker.outage(), null)
})

test('of all senders in one outage, one at a time sends a probe', () => {
	const { clock, all } = breakers(10)
	for (const breaker of all) failTimes(breaker, 5, clock)
	clock.now += 15_000
	const probing = all.filter((breaker) => {
		const may = breaker.allowance() === 1
		if (may) breaker.probing()
		return may
	})
	assert.equal(probing.length, 1)
})

test('the other senders probe within seconds after one has got through, however long the outage was', () => {
	const { clock, all } = breakers(4)
	for (const breaker of all) failTimes(breaker, 5, clock)
	const [first, second] = all as [Breaker, Breaker]
	for (let probe = 0; probe < 40; probe++) {
		clock.now += 31_000
		second.probing()
		second.failed('silent', clock.now)
	}
	clock.now += 1
	first.succeeded(clock.now)
	clock.now += 4001
	assert.equal(second.allowance(), 1)
})

test('a probe that was not sent does not lengthen the time to the next one', () => {
	const { clock, all } = breakers(1)
	const [breaker] = all as [Breaker]
	failTimes(breaker, 5, clock)
	for (let probe = 0; probe < 100; probe++) {
		breaker.probing()
		breaker.abandoned()
	}
	breaker.probing()
	breaker.failed('silent', clock.now)
	assert.equal(breaker.waitMs(), 4000)
})

test('probes are four seconds apart at first, further apart the longer the outage lasts, and never more than thirty', () => {
	const { clock, all } = breakers(1)
	const [breaker] = all as [Breaker]
	failTimes(breaker, 5, clock)
	const waits = Array.from({ length: 40 }, () => {
		clock.now += breaker.waitMs()
		breaker.probing()
		breaker.failed('silent', clock.now)
		return breaker.waitMs()
	})
	assert.deepEqual(new Set(waits.slice(0, 15)), new Set([4000]))
	assert.deepEqual(waits.slice(15, 18).map(Math.round), [5200, 6760, 8788])
	assert.deepEqual(new Set(waits.slice(25).map(Math.round)), new Set([30_000]))
})

test('a breaker that opens for one sender leaves the other senders’ breakers closed', () => {
	const { clock, all } = breakers(3)
	const [broken, sound] = all as [Breaker, Breaker]
	failTimes(broken, 5, clock)
	sound.succeeded(clock.now)
	assert.deepEqual([broken.allowance(), sound.allowance()], [0, Infinity])
})
