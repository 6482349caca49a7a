import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftError } from './draft-error.ts'

const EMPTY = 'Please enter a message or select a file'

test('draftError asks for a message or a file first, and then for a contact', () => {
	assert.equal(draftError({ number: '', text: ' \n', file: null }), EMPTY)
	assert.equal(draftError({ number: '', text: 'Hello', file: null }), 'Please select a contact')
	assert.equal(draftError({ number: '919876543210', text: 'Hello', file: null }), null)
	assert.equal(draftError({ number: '919876543210', text: '', file: new Blob() }), null)
})
