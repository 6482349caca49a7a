import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qualityOf, statusOf } from './meta-template.ts'

test('statusOf returns the status that an event leads to, and null for one that changes none or is not known', () => {
	const events = ['REINSTATED', 'FLAGGED', 'PAUSED', 'constructor']
	assert.deepEqual(events.map(statusOf), ['APPROVED', null, 'PAUSED', null])
})

test('qualityOf gives no quality for a word that is none of Meta’s colours', () => {
	assert.deepEqual(['GREEN', 'RED', 'UNKNOWN', 'constructor', null].map(qualityOf), ['HIGH', 'LOW', null, null, null])
})
