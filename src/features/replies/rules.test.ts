import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillVariables, findReplies, variableProblem, variablesOf } from './rules.ts'

test('variablesOf returns each known variable once, in the order of the text', () => {
	assert.deepEqual(variablesOf('{{orderNumber}} {{customerName}} {{orderNumber}} {{other}} {customerName}'), [
		'orderNumber',
		'customerName',
	])
})

test('fillVariables replaces variables that have a value and keeps the rest, without reading the values', () => {
	const text = 'Dear {{customerName}}, order {{orderNumber}}: {{toString}}'
	assert.equal(
		fillVariables(text, { customerName: '{{orderNumber}} $&', orderNumber: '' }),
		'Dear {{orderNumber}} $&, order {{orderNumber}}: {{toString}}',
	)
})

test('variableProblem names a variable that does not exist, shortened, and accepts the others', () => {
	assert.equal(variableProblem('Hello {{customerName}} {name}'), null)
	assert.match(String(variableProblem('Hello {{name}}')), /no variable {{name}}\. Use {{customerName}}/)
	assert.ok(String(variableProblem(`{{${'x'.repeat(4000)}}}`)).length < 150)
})

test('findReplies finds all words in name or text, in any script and case, names that begin with the search first', () => {
	const replies = [
		{ shortcut: 'address', text: 'Our shop is near the bank' },
		{ shortcut: 'bank-details', text: 'Account 12345' },
		{ shortcut: 'धन्यवाद', text: 'धन्यवाद {{customerName}}' },
	]
	const namesFor = (search: string) => findReplies(replies, search).map(({ shortcut }) => shortcut)
	assert.deepEqual(namesFor('Bank'), ['bank-details', 'address'])
	assert.deepEqual(namesFor('bank 123'), ['bank-details'])
	assert.deepEqual(namesFor('धन्य'), ['धन्यवाद'])
	assert.deepEqual(namesFor('zzz'), [])
	assert.equal(namesFor('').length, 3)
})
