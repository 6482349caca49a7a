import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacer } from './pacer.ts'

function paced(granted: number) {
	let now = 0
	const pacer = createPacer(granted, () => now)
	const run = (milliseconds: number, each = 10) => {
		let taken = 0
		for (let passed = 0; passed < milliseconds; passed += each) {
			now += each
			taken += pacer.take(1000)
		}
		return taken
	}
	return { pacer, run }
}

test('take gives campaigns 95 % of the granted rate over ten seconds, no more and hardly less', () => {
	const { run } = paced(80)
	const taken = run(10_000)
	assert.ok(taken <= 780 && taken >= 755, String(taken))
})

test('take loses no pace when a timer is 150 ms late each time', () => {
	const { run } = paced(80)
	assert.ok(run(15_000, 150) >= 1120)
})

test('slowDown halves the rate once a second however many answers ask for it, and the rate climbs back', () => {
	const { pacer, run } = paced(80)
	for (let i = 0; i < 20; i++) pacer.slowDown()
	assert.ok(pacer.rate() >= 38 && pacer.rate() < 39)
	run(20_000)
	assert.equal(pacer.rate(), 76)
})

test('restart begins again at a share of the rate', () => {
	const { pacer } = paced(80)
	pacer.restart(0.25)
	assert.equal(pacer.rate(), 19)
})

test('setLimit raises a rate that stood at its limit, and leaves one that was cut to climb', () => {
	const { pacer } = paced(80)
	pacer.setLimit(1000)
	assert.equal(pacer.rate(), 950)
	pacer.slowDown()
	pacer.setLimit(2000)
	assert.equal(pacer.rate(), 475)
})
