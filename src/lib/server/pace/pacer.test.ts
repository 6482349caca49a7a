import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacer } from './pacer.ts'

function paced(perSecond: number) {
	let now = 0
	const pacer = createPacer(perSecond, () => now)
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

test('the pacer’s take grants its rate over ten seconds', () => {
	const { run } = paced(76)
	const taken = run(10_000)
	assert.ok(taken <= 780 && taken >= 755, String(taken))
})

test('the pacer’s take grants the whole rate when every timer is 150 ms late', () => {
	const { run } = paced(76)
	assert.ok(run(15_000, 150) >= 1120)
})

test('the pacer’s slowDown halves the rate once a second however many answers ask for it, and the rate climbs back', () => {
	const { pacer, run } = paced(76)
	for (let i = 0; i < 20; i++) pacer.slowDown()
	assert.ok(pacer.rate() >= 38 && pacer.rate() < 39)
	run(20_000)
	assert.equal(pacer.rate(), 76)
})

test('the pacer’s restart sets the rate of a resumed sender to a share of its limit', () => {
	const { pacer } = paced(76)
	pacer.restart(0.25)
	assert.equal(pacer.rate(), 19)
})

test('the pacer’s setLimit sets a rate at the old limit to the new one, and leaves a slowed rate as it is', () => {
	const { pacer } = paced(76)
	pacer.setLimit(950)
	assert.equal(pacer.rate(), 950)
	pacer.slowDown()
	pacer.setLimit(1900)
	assert.equal(pacer.rate(), 475)
})
