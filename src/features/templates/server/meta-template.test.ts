import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qualityOf, statusOf } from './meta-template.ts'

test('statusOf returns the status after an event, and null for unknown events and events without a status', () => {
	const events = ['REINSTATED', 'FLAGGED', 'PAUSED', 'constructor']
	assert.deepEqual(events.map(statusOf), ['APPROVED', null, 'PAUSED', null])
})

test('qualityOf returns null for words that are not Meta’s colours', () => {
	assert.deepEqual(['GREEN', 'RED', 'UNKNOWN', 'constructor', null].map(qualityOf), ['HIGH', 'LOW', null, null, null])
})
