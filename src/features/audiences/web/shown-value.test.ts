import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editedValue, shownValue } from './shown-value.ts'

const FIELDS = ['firstName', 'lastName', 'number', 'City']

test('shownValue names the columns, without braces and fallbacks', () => {
	assert.equal(shownValue('Hi {{firstName|friend}} of {{City}}', FIELDS), 'Hi ‹First name› of ‹City›')
	assert.equal(shownValue('{{Gone}}', FIELDS), '‹Gone›')
	assert.equal(shownValue('{{firstName}}', ['firstName', 'First name']), '‹firstName›')
})

for (const { name, before, typed, expected } of [
	{ name: 'text behind a name', before: 'Hi {{firstName}}', typed: 'Hi ‹First name›!', expected: 'Hi {{firstName}}!' },
	{ name: 'a typed tag', before: '', typed: 'dear {{City|you}}', expected: 'dear {{City|you}}' },
	{
		name: 'a name with its fallback',
		before: 'Hi {{firstName|friend}}',
		typed: 'Dear ‹First name›',
		expected: 'Dear {{firstName|friend}}',
	},
	{ name: 'a name without its last character', before: '{{firstName}} a', typed: '‹First name a', expected: ' a' },
	{ name: 'a name without a character inside', before: 'a {{City}} b', typed: 'a ‹Cty› b', expected: 'a  b' },
	{ name: 'a selection over half a name', before: 'ab {{City}} c', typed: 'aty› c', expected: 'a c' },
	{ name: 'a character inside a name', before: '{{City}}', typed: '‹Cixty›', expected: '{{City}}x' },
	{ name: 'a pasted name', before: '', typed: '‹City›', expected: '{{City}}' },
	{ name: 'a name of another list', before: '{{Gone|x}}', typed: '‹Gone›.', expected: '{{Gone|x}}.' },
	{ name: 'brackets that name nothing', before: '', typed: '‹hm› ‹', expected: '‹hm› ‹' },
	{ name: 'one of two equal names', before: '{{City}}{{City}}', typed: '‹City›', expected: '{{City}}' },
	{ name: 'an emptied input', before: 'Hi {{City}}', typed: '', expected: '' },
])
	test(`editedValue returns the value for ${name}`, () => assert.equal(editedValue(before, typed, FIELDS), expected))
