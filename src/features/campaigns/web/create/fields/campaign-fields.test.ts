import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TemplateRow } from '#features/templates/contract.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { EMPTY_FIELDS, formProblems, timingOf, type CampaignFields } from './campaign-fields.ts'

const template = {
	needsHeaderFile: false,
	components: [{ type: 'BODY', text: 'Hi {{1}}' }],
} as Partial<TemplateRow> as TemplateRow
const filled: CampaignFields = { ...EMPTY_FIELDS, name: 'Offer', templateId: '4', variables: { var1: 'Asha' } }
const facts = { template, hasFile: false, tags: CONTACT_TAGS, gaps: { lastName: 2 } }
const fieldsOf = (fields: Partial<CampaignFields>, given: Partial<typeof facts> = {}) =>
	formProblems({ ...filled, ...fields }, { ...facts, ...given }).map(({ field }) => field)

test('formProblems checks the order first, then the template and its values, also those that some recipients lack', () => {
	assert.deepEqual(fieldsOf({}), [])
	assert.deepEqual(fieldsOf({ variables: { var1: '{{lastName}}' } }), ['variables.var1'])
	assert.deepEqual(fieldsOf({ variables: { var1: '{{lastName|ji}}' } }), [])
	assert.deepEqual(fieldsOf({ name: '', variables: {} }), ['name', 'variables.var1'])
	assert.deepEqual(fieldsOf({ variables: {} }, { template: { ...template, needsHeaderFile: true } }), [
		'templateId',
		'variables.var1',
	])
})

test('formProblems names a problem of the start at the date while the date is empty, and at the time afterwards', () => {
	assert.deepEqual(fieldsOf({ schedule: 'later' }), ['date'])
	assert.deepEqual(fieldsOf({ schedule: 'later', date: '2020-01-01' }), ['time'])
	assert.deepEqual(fieldsOf({ schedule: 'later', date: '2020-01-01', time: '10:00' }), ['time'])
})

test('timingOf returns the day and the minute in India, also when UTC still has the day before', () => {
	assert.deepEqual(timingOf('2026-11-21T20:35:40.000Z'), { schedule: 'later', date: '2026-11-22', time: '02:05' })
})
