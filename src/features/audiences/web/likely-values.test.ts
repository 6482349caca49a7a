import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likelyValues } from './likely-values.ts'

const body = (text: string) => [{ type: 'BODY', text }]

for (const { name, text, tags, expected } of [
	{
		name: 'a name after a greeting',
		text: 'Hi {{1}}, the new collection has arrived. Show {{2}} at the counter.',
		tags: ['firstName', 'lastName', 'number'],
		expected: { var1: '{{firstName}}' },
	},
	{
		name: 'the columns that the words beside a variable name, each column once',
		text: 'Dear {{1}}, your dues at our {{2}} branch are {{3}} rupees.',
		tags: ['Customer', 'Mobile', 'Branch', 'Due'],
		expected: { var1: '{{Customer}}', var2: '{{Branch}}', var3: '{{Due}}' },
	},
	{
		name: 'amounts and dates',
		text: 'Hello *{{1}}*, please pay ₹{{2}} by {{3}} for invoice {{4}}.',
		tags: ['Full Name', 'Phone', 'Amount', 'Due Date', 'InvoiceNo'],
		expected: { var1: '{{Full Name}}', var2: '{{Amount}}', var3: '{{Due Date}}', var4: '{{InvoiceNo}}' },
	},
	{
		name: 'the number of an order rather than its amount or date',
		text: 'Hello {{1}}, your order {{2}} of {{3}} is ready.',
		tags: ['Customer', 'Order amount', 'Order date', 'Order No'],
		expected: { var1: '{{Customer}}', var2: '{{Order No}}' },
	},
	{
		name: 'named variables by their names',
		text: '{{first_name}}, {{city}} waits for you',
		tags: ['firstName', 'lastName', 'number', 'City'],
		expected: { first_name: '{{firstName}}', city: '{{City}}' },
	},
	{
		name: 'a name behind a wish or before an honorific, and an amount behind its word',
		text: '*Happy Diwali {{1}}!* {{2}} ji, the outstanding is {{3}} now.',
		tags: ['Customer name', 'Member', 'Balance'],
		expected: { var1: '{{Customer name}}', var2: '{{Member}}', var3: '{{Balance}}' },
	},
	{
		name: 'no name in a sentence that only begins with a wish',
		text: 'Happy Diwali! Get {{1}} off, or be happy to pay {{2}} later. Good news for {{3}} now',
		tags: ['firstName', 'lastName'],
		expected: {},
	},
	{
		name: 'nothing where no word tells',
		text: 'Use {{1}} and {{2}}.',
		tags: ['firstName', 'Code 1', 'PIN'],
		expected: {},
	},
])
	test(`likelyValues fills in ${name}`, () => {
		assert.deepEqual(likelyValues(body(text), tags), expected)
	})

test('likelyValues reads the header of a template, and leaves links to people', () => {
	const components = [
		{ type: 'HEADER', format: 'TEXT', text: 'News for {{1}}' },
		{ type: 'BODY', text: 'Open the link.' },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' }] },
	]
	assert.deepEqual(likelyValues(components, ['City']), {})
	assert.deepEqual(likelyValues([{ type: 'HEADER', format: 'TEXT', text: 'City {{1}}' }], ['City']), {
		header1: '{{City}}',
	})
})
