import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRecipient } from './file-rows.ts'

const columns = { number: 1, firstName: 0, lastName: null, hasHeader: true }
const header = ['Name', 'Mobile', 'City']
const tags = ['firstName', 'number', 'Name', 'Mobile', 'City']

test('firstRecipient takes the first row that is a recipient, by the mapped columns and by the names of the others', () => {
	const preview = [
		{ row: 2, cells: ['Asha', 'abc', 'Pune'], reason: 'Invalid phone number format', doubt: null },
		{ row: 3, cells: ['Ravi', '9812345678', ' Surat '], reason: null, doubt: null },
	]
	assert.deepEqual(firstRecipient({ header, columns, tags, preview }), {
		firstName: 'Ravi',
		number: '9812345678',
		Name: 'Ravi',
		Mobile: '9812345678',
		City: 'Surat',
	})
})

test('firstRecipient gives null for an empty cell, and finds unnamed columns by their place', () => {
	const preview = [{ row: 1, cells: ['Ravi', '9812345678', ' '], reason: null, doubt: null }]
	const unnamed = { ...columns, hasHeader: false }
	const found = firstRecipient({
		header: preview[0]?.cells ?? [],
		columns: unnamed,
		tags: ['column1', 'column3'],
		preview,
	})
	assert.deepEqual(found, { column1: 'Ravi', column3: null })
})

test('firstRecipient is undefined when no row that is shown is a recipient', () => {
	assert.equal(firstRecipient({ header, columns, tags, preview: [] }), undefined)
})
