import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf } from './rules.ts'

test('lineOf returns the kind of a message without text, and a text in one line', () => {
	assert.equal(lineOf({ kind: 'text', text: 'Hello\n\nthere ' }), 'Hello there')
	assert.equal(lineOf({ kind: 'image', text: '' }), 'Photo')
	assert.equal(lineOf({ kind: 'document', text: '', mediaName: 'bill.pdf' }), 'bill.pdf')
	assert.equal(lineOf({ kind: 'text', text: 'x', isRevoked: true }), 'This message was deleted')
})
