import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareParts, controlGroupSize, ControlGroupPercent } from './rules.ts'

test('controlGroupSize rounds down, so that a small audience has no control group and no audience is all control group', () => {
	assert.equal(controlGroupSize(1800, 10), 180)
	assert.equal(controlGroupSize(1809, 10), 180)
	assert.equal(controlGroupSize(9, 10), 0)
	assert.equal(controlGroupSize(1, 50), 0)
	assert.equal(controlGroupSize(2, 50), 1)
	assert.equal(controlGroupSize(1800, undefined), 0)
})

test('ControlGroupPercent accepts whole numbers from 1 to 50', () => {
	for (const percent of [1, 50]) assert.ok(ControlGroupPercent.safeParse(percent).success)
	for (const percent of [0, 51, 2.5, Number.NaN, '10']) assert.ok(!ControlGroupPercent.safeParse(percent).success)
})

test('compareParts returns more or fewer only for a difference beyond chance, and too few for small groups', () => {
	assert.equal(compareParts({ count: 97, of: 1620 }, { count: 2, of: 180 }), 'more')
	assert.equal(compareParts({ count: 97, of: 1620 }, { count: 8, of: 180 }), 'chance')
	assert.equal(compareParts({ count: 20, of: 1620 }, { count: 40, of: 1620 }), 'fewer')
	assert.equal(compareParts({ count: 5, of: 20 }, { count: 0, of: 2 }), 'too few')
	assert.equal(compareParts({ count: 0, of: 1620 }, { count: 0, of: 180 }), 'too few')
	assert.equal(compareParts({ count: 1620, of: 1620 }, { count: 180, of: 180 }), 'too few')
	assert.equal(compareParts({ count: 0, of: 0 }, { count: 0, of: 0 }), 'too few')
})
