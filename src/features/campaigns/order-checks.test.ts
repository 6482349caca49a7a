import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapProblems, valueProblems } from '#features/audiences/values.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { openingProblems, orderProblems, templateProblems, type Order } from './order-checks.ts'

const COMPONENTS = [{ type: 'BODY', text: 'Hi {{1}}' }]
const FILLED: Order = {
	name: 'Offer',
	templateId: '4',
	audienceType: 'all',
	hasFile: false,
	schedule: 'now',
	opensAt: null,
}
const at = (opensAt: number) => messages(openingProblems({ schedule: 'later', opensAt }))
const messages = (problems: { message: string }[]) => problems.map(({ message }) => message)

test('orderProblems checks name, template, group, file, control group and schedule in this order', () => {
	const empty = { name: ' ', templateId: '', schedule: 'later', opensAt: null, hasFile: false } as const
	assert.deepEqual(orderProblems({ ...empty, audienceType: 'group' }), [
		{ field: 'name', message: 'Campaign name is required' },
		{ field: 'templateId', message: 'Please select a template' },
		{ field: 'selectedGroup', message: 'Please select a group' },
		{ field: 'scheduleDatetime', message: 'Please select schedule date and time' },
	])
	assert.deepEqual(messages(orderProblems({ ...FILLED, audienceType: 'file' })), ['Please upload a contact file'])
	assert.deepEqual(orderProblems({ ...FILLED, audienceType: 'file', hasFile: true }), [])
	assert.deepEqual(orderProblems(FILLED), [])
	assert.deepEqual(messages(orderProblems({ ...FILLED, holdOutPercent: 51 })), ['A test group has 1 to 50 percent'])
	for (const holdOutPercent of ['', 1, 50]) assert.deepEqual(orderProblems({ ...FILLED, holdOutPercent }), [])
})

test('openingProblems accepts a time of the last minute, and refuses an earlier one and the year 2100', () => {
	assert.deepEqual(at(Date.now() - 30_000), [])
	assert.deepEqual(at(Date.now() + HOUR_MS), [])
	assert.deepEqual(at(Date.now() - HOUR_MS), ['The scheduled time has already passed'])
	assert.deepEqual(at(Date.parse('2100-01-01T00:00:00+05:30')), ['Please select a date before the year 2100'])
})

test('templateProblems names a part that cannot be sent, and a header file that is missing', () => {
	assert.deepEqual(templateProblems({ components: COMPONENTS, needsHeaderFile: false }), [])
	const product = [{ type: 'HEADER', format: 'PRODUCT' }, ...COMPONENTS]
	assert.deepEqual(messages(templateProblems({ components: product, needsHeaderFile: true })), [
		'This template has a header of the kind PRODUCT, which cannot be sent from here',
		'Please upload the header file of this template first',
	])
})

test('valueProblems names each value as the form does, and trims it as the server does', () => {
	const two = [{ type: 'BODY', text: 'Hi {{1}}, your code is {{2}}' }]
	assert.deepEqual(valueProblems(two, { var1: ' ', var2: 'a\tb' }, CONTACT_TAGS), [
		{ field: 'variables.var1', message: 'Variable 1 is empty' },
		{ field: 'variables.var2', message: 'Variable 2 has a tab' },
	])
	assert.deepEqual(valueProblems(COMPONENTS, { var1: ' {{firstName}}\n' }, CONTACT_TAGS), [])
})

test('valueProblems accepts the columns of a file as tags, and lists six of them for an unknown tag', () => {
	const columns = Array.from({ length: 9 }, (_, index) => `c${index}`)
	assert.deepEqual(valueProblems(COMPONENTS, { var1: '{{c8}}' }, columns), [])
	assert.deepEqual(valueProblems(COMPONENTS, { var1: '{{firstName}}' }, columns), [
		{
			field: 'variables.var1',
			message: 'The recipients have no “firstName”. Use c0, c1, c2, c3, c4, c5 or another column',
		},
	])
	assert.deepEqual(messages(valueProblems(COMPONENTS, { var1: '{{firstName}}' }, [])), ['Variable 1 may hold no {{…}}'])
})

test('gapProblems names the variables whose tags some recipients lack, unless they have a fallback', () => {
	const variables = { var1: '{{city}}', var2: '{{city|India}} {{constructor}}', var3: 'Hi' }
	assert.deepEqual(gapProblems(variables, { city: 2, name: 1 }), [
		{ field: 'variables.var1', message: '2 people have no city. Type what they should read instead, e.g. friend.' },
	])
})
