import assert from 'node:assert/strict'
import { test } from 'node:test'
import { avatarLetter, numberLabel } from './chat-name.ts'

test('numberLabel returns digits as a phone number, and an id as a hidden number', () => {
	assert.equal(numberLabel('919876543210'), '+91 98765 43210')
	assert.equal(numberLabel('IN.13491208655302741918'), 'Number hidden by WhatsApp')
})

test('avatarLetter returns the first letter of any script, and # without one', () => {
	assert.deepEqual(['asha', '🙂 ravi', 'आशा', '+91 98765'].map(avatarLetter), ['A', 'R', 'आ', '#'])
})
