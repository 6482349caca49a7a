import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNumberTable } from './number-table.ts'

test('firstRow returns the first row of each of 50,000 numbers, and undefined the first time, as a Map would', () => {
	const table = createNumberTable()
	const expected = new Map<number, number>()
	for (let row = 1; row <= 50_000; row++) {
		const number = 919_000_000_000 + ((row * 7919) % 30_011) * 33_331
		assert.equal(table.firstRow(number, row), expected.get(number), String(number))
		if (!expected.has(number)) expected.set(number, row)
	}
})
