import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qualityOf, readTemplate, statusOf } from './meta-template.ts'

test('statusOf returns the status after an event, and null for unknown events and events without a status', () => {
	const events = ['REINSTATED', 'FLAGGED', 'PAUSED', 'constructor']
	assert.deepEqual(events.map(statusOf), ['APPROVED', null, 'PAUSED', null])
})

test('qualityOf returns null for words that are not Meta’s colours', () => {
	assert.deepEqual(['GREEN', 'RED', 'UNKNOWN', 'constructor', null].map(qualityOf), ['HIGH', 'LOW', null, null, null])
})

test('readTemplate returns categories in upper case, also ones that are not known', () => {
	const row = { id: '1', name: 'offer', language: 'en', status: 'APPROVED', components: [] }
	const given = { ...row, category: 'Marketing', previous_category: 'utility', correct_category: 'marketing' }
	const read = readTemplate(given)
	assert.deepEqual([read?.category, read?.previousCategory, read?.correctCategory], ['MARKETING', 'UTILITY', null])
	assert.equal(readTemplate({ ...row, category: 'something_new' })?.category, 'SOMETHING_NEW')
})
