import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, NUMBER_INVALID, NUMBER_REQUIRED, readNewNumber } from './rules.ts'

test('readNewNumber keeps the digits of a number with or without country code, and prefixes ten digits with 91', () => {
	assert.deepEqual(readNewNumber('9876543210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('+91 98765-43210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('\u202a+91 98765\u201343210\u202c'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('919876543210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('1-2025550123'), { number: '12025550123' })
	assert.deepEqual(readNewNumber('2025550123'), { number: '912025550123' })
	assert.deepEqual(readNewNumber('  '), { error: NUMBER_REQUIRED })
	for (const wrong of ['12345', 'abc', '98765432101234567', '98765x43210'])
		assert.deepEqual(readNewNumber(wrong), { error: NUMBER_INVALID })
})

test('lineOf returns the kind of a message without text, and a text in one line', () => {
	assert.equal(lineOf({ kind: 'text', text: 'Hello\n\nthere ' }), 'Hello there')
	assert.equal(lineOf({ kind: 'image', text: '' }), 'Photo')
	assert.equal(lineOf({ kind: 'document', text: '', mediaName: 'bill.pdf' }), 'bill.pdf')
	assert.equal(lineOf({ kind: 'text', text: 'x', isRevoked: true }), 'This message was deleted')
})
