import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { moved, placeAt } from './reorder.ts'

suite('moved', () => {
	test('moves the item to its new index and keeps the order of the others', () => {
		assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
		assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
	})

	test('returns the list unchanged when the index is out of range', () => {
		assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b'])
		assert.deepEqual(moved(['a', 'b'], 1, 2), ['a', 'b'])
	})
})

suite('placeAt', () => {
	const rows = [
		{ top: 0, bottom: 100 },
		{ top: 100, bottom: 300 },
		{ top: 300, bottom: 400 },
	]

	test('keeps the index until the pointer is past the middle of a neighbour', () => {
		assert.equal(placeAt(rows, 0, 190), 0)
		assert.equal(placeAt(rows, 2, 210), 2)
	})

	test('follows the pointer over one neighbour and over two', () => {
		assert.equal(placeAt(rows, 0, 210), 1)
		assert.equal(placeAt(rows, 0, 380), 2)
		assert.equal(placeAt(rows, 2, 20), 0)
	})
})
