import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldName, likelyType, readFieldValue, splitTags, type FieldType } from './custom-fields.ts'

test('readFieldValue returns one spelling of each number, date and yes or no, and null for a text of another type', () => {
	const cases: [FieldType, string, string | null][] = [
		['number', '₹1,23,456.50', '123456.5'],
		['number', 'Rs. 99', '99'],
		['number', '-12.345', '-12.345'],
		['number', '18.520430', '18.52043'],
		['number', '123456789012.1234', null],
		['number', '12 to 15', null],
		['date', '25/11/2026', '2026-11-25'],
		['date', '5-1-1990', '1990-01-05'],
		['date', '2026-11-25 00:00', '2026-11-25'],
		['date', '25 Nov 2026', '2026-11-25'],
		['date', '30/02/2026', null],
		['date', '11/25/2026', null],
		['date', 'tomorrow', null],
		['yesno', 'Y', 'yes'],
		['yesno', 'FALSE', 'no'],
		['yesno', 'maybe', null],
		['text', ' Pune ', 'Pune'],
		['text', 'x'.repeat(201), null],
	]
	for (const [type, typed, value] of cases) assert.equal(readFieldValue(type, typed), value, `${type} ${typed}`)
})

test('likelyType returns the type that all values fit, and text for digits that are a code', () => {
	assert.equal(likelyType('Bill', ['120', '', '99.50']), 'number')
	assert.equal(likelyType('Birthday', ['25/11/1990', '2001-02-03']), 'date')
	assert.equal(likelyType('Member', ['yes', 'No']), 'yesno')
	assert.equal(likelyType('PIN', ['411001', '400001']), 'text')
	assert.equal(likelyType('Ward', ['07', '12']), 'text')
	assert.equal(likelyType('Discount', ['15%', '20%']), 'text')
	assert.equal(likelyType('Due', ['₹1,250/-', '(500)']), 'number')
	assert.equal(likelyType('City', ['Pune', '12']), 'text')
	assert.equal(likelyType('Empty', ['', ' ']), 'text')
})

test('splitTags returns each tag of a cell once, including tags over the limit, which the server names', () => {
	assert.deepEqual(splitTags(`VIP, Gold; VIP |, ${'x'.repeat(51)}`), ['VIP', 'Gold', 'x'.repeat(51)])
})

test('FieldName rejects the names of built-in columns in any spelling, and accepts names that only contain one', () => {
	const built = ['firstName', 'First name', ' LAST NAME ', 'number', 'Phone', 'Mobile No.', 'WhatsApp number', 'Name']
	for (const name of [...built, 'Customer Name', 'Group', 'tags', 'optedOut', 'Opted out', 'नाम'])
		assert.equal(FieldName.safeParse(name).success, false, name)
	for (const name of ['City', 'Student name', 'Phone 2', 'Order number', 'Mobile plan', 'Group size', '🙂'.repeat(50)])
		assert.equal(FieldName.safeParse(name).success, true, name)
})
