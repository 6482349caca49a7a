import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qualityOf, statusOf } from './meta-template.ts'

test('statusOf gives the status that an event leads to, null for an event without one, and any other word as it is', () => {
	const events = ['REINSTATED', 'FLAGGED', 'PAUSED', 'constructor']
	assert.deepEqual(events.map(statusOf), ['APPROVED', null, 'PAUSED', 'constructor'])
})

test('qualityOf gives no quality for a word that is none of Meta’s colours', () => {
	assert.deepEqual(['GREEN', 'RED', 'UNKNOWN', 'constructor', null].map(qualityOf), ['HIGH', 'LOW', null, null, null])
})
