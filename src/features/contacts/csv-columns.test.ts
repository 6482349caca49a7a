import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchColumns } from './csv-columns.ts'

/** Returns the headers of the columns that are proposed as first and last name; null for none. */
function namesIn(header: string[], ...rows: string[][]): (string | null)[] {
	const { firstName, lastName } = matchColumns(header, rows)
	return [firstName, lastName].map((at) => (at === null ? null : (header[at] ?? null)))
}

for (const header of [
	'Cust Name',
	'Customer',
	"Customer's Name",
	'Party Name',
	'PARTY',
	'Name of Customer',
	'Owner Name',
	'Shop Name',
	'Grahak ka Naam',
	'ग्राहक का नाम',
	'नाम',
	'नाव',
	'ग्राहकाचे नाव',
	'ગ્રાહકનું નામ',
	'গ্রাহকের নাম',
	'ਨਾਮ',
	'பெயர்',
	'పేరు',
	'ಹೆಸರು',
	'പേര്',
	'ନାମ',
])
	test(`matchColumns proposes a column with the header “${header}” as the name`, () => {
		const row = ['1', 'Asha', '9876543210']
		assert.deepEqual(namesIn(['Sr', header, 'Mobile'], row), [header, null])
	})

test('matchColumns proposes surnames of Hindi and Marathi headers as the last name', () => {
	const row = ['Rao', 'Asha', '9876543210']
	assert.deepEqual(namesIn(['उपनाम', 'नाम', 'मोबाइल'], row), ['नाम', 'उपनाम'])
	assert.deepEqual(namesIn(['आडनाव', 'नाव', 'मोबाईल'], row), ['नाव', 'आडनाव'])
})

test('matchColumns proposes a column “Customer” only when it holds names and no column is called a name', () => {
	assert.deepEqual(namesIn(['Customer', 'Mobile'], ['C-101', '9876543210']), [null, null])
	assert.deepEqual(namesIn(['Customer', 'Mobile'], ['', '9876543210']), [null, null])
	assert.deepEqual(namesIn(['Customer', 'Full Name', 'Mobile'], ['Gold', 'Asha', '9876543210']), ['Full Name', null])
	assert.deepEqual(namesIn(['Shop Name', 'Owner Name', 'Mobile'], ['Rao Sarees', 'Asha', '9876543210']), [
		'Owner Name',
		null,
	])
})

test('matchColumns proposes no column that names a product, file or login', () => {
	for (const header of ['Product Name', 'File Name', 'Username', 'Brand', 'Customer ID', 'Phonetic Name'])
		assert.deepEqual(namesIn([header, 'Mobile'], ['Asha', '9876543210']), [null, null], header)
})
