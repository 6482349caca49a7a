import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TemplateRow } from '#features/templates/contract.ts'
import {
	EMPTY_FIELDS,
	firstError,
	STANDARD_TAGS,
	timingOf,
	variableError,
	type CampaignFields,
} from './campaign-fields.ts'

const template = {
	needsHeaderFile: false,
	components: [{ type: 'BODY', text: 'Hi {{1}}' }],
} as Partial<TemplateRow> as TemplateRow
const filled: CampaignFields = { ...EMPTY_FIELDS, name: 'Offer', templateId: '4', variables: { var1: 'Asha' } }
const facts = { template, hasFile: false, tags: STANDARD_TAGS }
const messageOf = (fields: Partial<CampaignFields>, given: Partial<typeof facts> = {}) =>
	firstError({ ...filled, ...fields }, { ...facts, ...given })?.message

test('firstError checks name, template, group, file, schedule and variables in this order', () => {
	const empty = { ...EMPTY_FIELDS, audienceType: 'group' as const, schedule: 'later' as const }
	assert.equal(firstError(empty, { ...facts, template: undefined })?.message, 'Campaign name is required')
	assert.equal(
		firstError({ ...empty, name: 'Offer' }, { ...facts, template: undefined })?.message,
		'Please select a template',
	)
	assert.equal(firstError({ ...empty, name: 'Offer' }, facts)?.message, 'Please select a group')
	assert.equal(messageOf({ audienceType: 'file', schedule: 'later' }), 'Please upload a contact file')
	assert.equal(messageOf({ schedule: 'later', variables: {} }), 'Please select schedule date and time')
	assert.equal(messageOf({ variables: {} }), 'Variable {{1}} is empty')
	assert.equal(messageOf({}), undefined)
})

test('firstError takes a file that is chosen, and refuses a moment that has passed', () => {
	assert.equal(messageOf({ audienceType: 'file' }, { hasFile: true }), undefined)
	const past = { schedule: 'later' as const, date: '2020-01-01', time: '10:00' }
	assert.equal(messageOf(past), 'The scheduled time has already passed')
})

test('variableError takes the columns of a file as tags, and lists a few of many for one that it has not', () => {
	const columns = Array.from({ length: 9 }, (_, index) => `c${index}`)
	assert.equal(variableError({ var1: '{{c8}}' }, template, columns), null)
	assert.deepEqual(variableError({ var1: '{{firstName}}' }, template, columns), {
		path: 'variables.var1',
		message: '{{firstName}} is not known. Use {{c0}}, {{c1}}, {{c2}}, {{c3}}, {{c4}}, {{c5}} or another column',
	})
})

test('timingOf gives the Indian day and minute of a moment, which may be the day after the one in UTC', () => {
	assert.deepEqual(timingOf('2026-11-21T20:35:40.000Z'), { schedule: 'later', date: '2026-11-22', time: '02:05' })
})
