import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacer } from './pacer.ts'

function paced(limit: number) {
	let now = 0
	const pacer = createPacer(limit, () => now)
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

test('no more goes out than the rate allows, and hardly less', () => {
	const { run } = paced(80)
	const taken = run(10_000)
	assert.ok(taken <= 810 && taken >= 780, String(taken))
})

test('"too fast" halves the rate at once, once per second however many say so, and it climbs back', () => {
	const { pacer, run } = paced(80)
	for (let i = 0; i < 20; i++) pacer.slowDown()
	assert.ok(pacer.rate() >= 40 && pacer.rate() < 41)
	run(20_000)
	assert.equal(pacer.rate(), 80)
})

test('a live chat always finds a token that campaigns leave it', () => {
	const { pacer, run } = paced(80)
	run(1000)
	assert.equal(pacer.take(1000), 0)
	assert.ok(pacer.takeForChat())
})

test('what was taken and not used can be given back', () => {
	const { pacer } = paced(80)
	const taken = pacer.take(1000)
	pacer.giveBack(taken)
	assert.equal(pacer.take(1000), taken)
})
