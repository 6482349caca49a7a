import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_FIELDS } from '../fields/campaign-fields.ts'
import { firstOpenStep, problemBefore, stepOf } from './step-fields.ts'
import type { Step } from './steps.ts'

const problem = (field: string) => ({ field, message: `${field} is missing` })
const first = (step: Step, fields: string[], passed: Step[] = []) =>
	problemBefore(step, fields.map(problem), passed)?.field

test('each field of the form belongs to the step that shows it', () => {
	const steps = Object.keys(EMPTY_FIELDS).map((field) => `${field}: ${stepOf(field)}`)
	assert.deepEqual(steps, [
		'name: message',
		'description: message',
		'templateId: message',
		'variables: message',
		'formats: message',
		'headerFiles: people',
		'audienceType: people',
		'selectedGroup: people',
		'segmentId: people',
		'holdOutPercent: when',
		'recipientOrder: when',
		'dailyStart: when',
		'schedule: when',
		'date: when',
		'time: when',
	])
	assert.equal(stepOf('file'), 'people')
	assert.equal(stepOf('variables.var1'), 'message')
})

test('Continue of the message ignores empty variables until people are chosen, and problems of later steps', () => {
	assert.equal(first('message', ['variables.var1', 'selectedGroup', 'date']), undefined)
	assert.equal(first('message', ['variables.var1'], ['message', 'people']), 'variables.var1')
	assert.equal(first('message', ['templateId', 'variables.var1']), 'templateId')
})

test('Continue of a later step finds the first problem of the steps before it', () => {
	assert.equal(first('people', ['variables.var1', 'file'], ['message']), 'variables.var1')
	assert.equal(first('people', ['date']), undefined)
	assert.equal(first('when', ['name', 'date']), 'name')
})

test('firstOpenStep returns the first step of a draft that is not done', () => {
	const message = { ...EMPTY_FIELDS, name: 'Diwali', templateId: '5', variables: { var1: 'friend' } }
	assert.equal(firstOpenStep(EMPTY_FIELDS), 'message')
	assert.equal(firstOpenStep({ ...message, variables: { var1: ' ' } }), 'message')
	assert.equal(firstOpenStep({ ...message, audienceType: 'group' }), 'people')
	// The file of a draft has to be chosen again, and its columns may fill in the variables.
	assert.equal(firstOpenStep({ ...message, variables: { var1: '' }, audienceType: 'file' }), 'people')
	assert.equal(firstOpenStep({ ...message, schedule: 'later' }), 'when')
	assert.equal(firstOpenStep({ ...message, audienceType: 'segment', segmentId: '7' }), 'check')
})
