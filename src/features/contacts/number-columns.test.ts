import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '#lib/files/csv-table.ts'
import { openPeople } from './people-file.ts'

function tableOf(text: string): Table {
	const rows = text.split('\n').map((line) => line.split('|'))
	return {
		async *rows() {
			yield rows
		},
	}
}

/**
 * Reads a table. Returns the header of the chosen number column, and the number of each row or the reason why it has
 * none.
 */
async function read(text: string, needsName = false) {
	const people = await openPeople(tableOf(text), { needsName })
	assert.ok(people)
	const numbers: string[] = []
	for await (const rows of people.rows())
		numbers.push(...rows.map(({ number, refusal }) => number ?? refusal?.reason ?? ''))
	return { column: people.header[people.columns.number ?? -1], columns: people.columns, numbers }
}

test('openPeople chooses WhatsApp before mobile before phone before landline, and the next column for an empty cell', async () => {
	const { column, numbers, columns } = await read(
		'Name|Landline|Phone|Mobile|WhatsApp No\n' +
			'Asha|02226541000|9811122011|9811122012|9811122013\nRavi||9811122021|9811122022|\nMeera||9811122031|NA|-\nOm|022 2654 1001|||#N/A',
	)
	assert.equal(column, 'WhatsApp No')
	assert.deepEqual(columns.otherNumbers, [3, 2, 1])
	assert.deepEqual(numbers, ['919811122013', '919811122022', '919811122031', '912226541001'])
})

test('openPeople joins a number with the country code in the column beside it', async () => {
	const { numbers } = await read(
		'Name|Country Code|Phone\nJohn|+1|7025550123\nSara|+65|81234567\nAli|971|0501234567\nRavi|+91|9811122004\n' +
			'Tom|UK|07911 123456\nMia|+1|+91 98111 22005\nKai||9811122006\nLee|+65|6581234567\nNo|+999|7025550124',
	)
	assert.deepEqual(numbers, [
		'17025550123',
		'6581234567',
		'971501234567',
		'919811122004',
		'447911123456',
		'919811122005',
		'919811122006',
		'The same number as in row 3',
		'Invalid phone number format',
	])
})

test('openPeople ignores a column named Code whose cells are not country codes', async () => {
	const { numbers, columns } = await read('Name|Code|Phone\nAsha|101|9811122001\nRavi|102|9811122002')
	assert.deepEqual([columns.countryCode, numbers], [undefined, ['919811122001', '919811122002']])
})

for (const header of [
	'Cust. Mob. No.',
	'Parent Contact No',
	'Guardian Ph',
	'मोबाईल क्र.',
	'संपर्क क्रमांक',
	'મોબાઇલ નંબર',
	'ફોન નં',
	'கைபேசி எண்',
	'మొబైల్ నంబర్',
	'ಮೊಬೈಲ್ ಸಂಖ್ಯೆ',
	'മൊബൈൽ നമ്പർ',
	'মোবাইল নম্বর',
	'ਮੋਬਾਈਲ ਨੰਬਰ',
	'Whom to call',
	'',
])
	test(`openPeople chooses a column with the header “${header}” when it holds numbers`, async () => {
		const { column, numbers } = await read(`Cust Name|${header}|Due\nAsha|9811122061|500\nRavi|९८१११२२०६२|700`)
		assert.deepEqual([column, numbers], [header, ['919811122061', '919811122062']])
	})

test('openPeople chooses no column whose header names another kind of digits', async () => {
	for (const header of ['Order ID', 'Account No', 'Amount', 'Aadhaar'])
		assert.equal((await read(`Name|${header}\nAsha|9811122061`)).columns.number, null, header)
})

test('openPeople prefers a column that holds numbers to one named “Mobile Brand”', async () => {
	const { column } = await read('Name|Mobile Brand|Contact No\nAsha|Samsung|9811122061')
	assert.equal(column, 'Contact No')
})

test('openPeople prefers the column “number” of the product’s own files to all others', async () => {
	const { column } = await read('firstName|lastName|number|WhatsApp\nAsha|Rao|9811122061|9811122062')
	assert.equal(column, 'number')
})
