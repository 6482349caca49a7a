import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnTags, recipientsIn } from './file-rows.ts'
import { leftOutRows, leftOutText } from './left-out.ts'

const columns = { number: 1, firstName: 0, lastName: null, hasHeader: true }
const header = ['Name', 'Mobile', 'City']
const tags = ['firstName', 'number', 'Name', 'Mobile', 'City']

test('recipientsIn returns the valid rows, with values by the mapped columns and by the names of the other columns', () => {
	const preview = [
		{
			row: 2,
			cells: ['Asha', 'abc', 'Pune'],
			number: null,
			reason: 'Invalid phone number format',
			doubt: null,
			note: null,
		},
		{ row: 3, cells: ['Ravi', '9812345678', ' Surat '], number: '919812345678', reason: null, doubt: null, note: null },
	]
	assert.deepEqual(recipientsIn({ header, columns, tags, preview }), [
		{
			firstName: 'Ravi',
			number: '+919812345678',
			Name: 'Ravi',
			Mobile: '9812345678',
			City: 'Surat',
		},
	])
})

test('recipientsIn returns null for a name that is the row’s own number', () => {
	const preview = [
		{
			row: 2,
			cells: ['98123 45678', '9812345678', 'Surat'],
			number: '919812345678',
			reason: null,
			doubt: null,
			note: null,
		},
	]
	const [found] = recipientsIn({ header, columns, tags, preview })
	assert.deepEqual([found?.['firstName'], found?.['Name'], found?.['Mobile']], [null, null, '9812345678'])
})

test('recipientsIn returns null for an empty cell, and finds unnamed columns by their number', () => {
	const preview = [
		{ row: 1, cells: ['Ravi', '9812345678', ' '], number: '919812345678', reason: null, doubt: null, note: null },
	]
	const unnamed = { ...columns, hasHeader: false }
	const found = recipientsIn({
		header: preview[0]?.cells ?? [],
		columns: unnamed,
		tags: ['column1', 'column3'],
		preview,
	})
	assert.deepEqual(found, [{ column1: 'Ravi', column3: null }])
})

test('columnTags returns each column once: by its name, or without names by the field it was chosen as or its number', () => {
	assert.deepEqual(columnTags({ header, columns, tags }), ['Name', 'Mobile', 'City'])
	const unnamed = { header, columns: { ...columns, hasHeader: false } }
	assert.deepEqual(columnTags({ ...unnamed, tags: ['firstName', 'number', 'column1', 'column2', 'column3'] }), [
		'firstName',
		'number',
		'column3',
	])
})

test('recipientsIn lists recipients with unlikely numbers last, and leaves out those that get no message', () => {
	const odd = { cells: ['Ravi', '9812345', ''], number: '9812345', doubt: 'Too short', note: null }
	const likely = {
		row: 2,
		cells: ['Asha', '9812345678', ''],
		number: '919812345678',
		reason: null,
		doubt: null,
		note: null,
	}
	const namesOf = (reason: string | null) =>
		recipientsIn({ header, columns, tags, preview: [{ ...odd, row: 3, reason }, likely] }).map((row) => row['Name'])
	assert.deepEqual([namesOf('Too short'), namesOf(null)], [['Asha'], ['Asha', 'Ravi']])
})

test('leftOutRows counts unlikely rows until they are ticked', () => {
	const counts = { rows: 9, valid: 3, invalid: 1, duplicate: 2, unlikely: 3 }
	assert.deepEqual(leftOutRows({ counts, columns }), { invalid: 1, duplicate: 2, unlikely: 3 })
	assert.equal(leftOutRows({ counts, columns: { ...columns, withUnlikely: true } }).unlikely, 0)
})

test('leftOutText names each reason with its number, and is null when all rows are used', () => {
	const reached = { optedOut: 2, capped: 4, frequency: { messages: 1, days: 7 }, unpriced: [] }
	assert.equal(
		leftOutText({ invalid: 1, duplicate: 20, unlikely: 1 }, reached),
		'1 wrong or missing number, 20 duplicates, 1 number that looks wrong, 2 opted out, 4 written to less than 7 days ago',
	)
	assert.equal(leftOutText({ invalid: 0, duplicate: 0, unlikely: 0 }, undefined), null)
})
