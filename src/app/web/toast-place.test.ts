import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './toast-place.ts'

const room = { top: 72, bottom: 828 }

test('placeOf returns the preferred edge when no control is there', () => {
	const clear = [{ top: 300, bottom: 340 }]
	assert.equal(placeOf({ height: 80, room, clear, fromEnd: true }), 748)
	assert.equal(placeOf({ height: 80, room, clear, fromEnd: false }), 72)
})

test('placeOf returns the nearest place that covers no control', () => {
	const save = { top: 780, bottom: 824 }
	const upload = { top: 640, bottom: 700 }
	assert.equal(placeOf({ height: 64, room, clear: [save], fromEnd: true }), 708)
	assert.equal(placeOf({ height: 64, room, clear: [save, upload], fromEnd: true }), 708)
	assert.equal(placeOf({ height: 80, room, clear: [save, upload], fromEnd: true }), 552)
	const [action, below] = [
		{ top: 90, bottom: 130 },
		{ top: 200, bottom: 240 },
	]
	assert.equal(placeOf({ height: 60, room, clear: [action, below], fromEnd: false }), 138)
	assert.equal(placeOf({ height: 64, room, clear: [action, below], fromEnd: false }), 248)
})

test('placeOf returns the preferred edge when every place covers a control', () => {
	const clear = [{ top: 100, bottom: 800 }]
	assert.equal(placeOf({ height: 80, room, clear, fromEnd: true }), 748)
	assert.equal(placeOf({ height: 80, room, clear, fromEnd: false }), 72)
})
