import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestAccount } from '#test/factories.ts'
import { tableWorkbook, textRow, workbook } from '#test/files/workbook.ts'
import { launchTestApp } from '#test/http-app.ts'
import { contacts } from '../contract.ts'
import { contactGroups } from '../group-contract.ts'
import { SHORTENED } from '../rules.ts'
import { listCountDrift } from './count-queries.ts'
import { optOutNumbers } from './service.ts'

const app = await launchTestApp()
const shop = await app.signIn('user')

interface Row {
	firstName?: unknown
	lastName?: unknown
	number?: unknown
}
const addMany = (rows: (Row | null)[], group: string | null = null, as = shop) =>
	app.call(contacts.addMany, { body: { contacts: rows, group } as never }, as)
const list = async (query: object = {}, as = shop) =>
	(await app.call(contacts.list, { query: { page: 1, limit: 100, search: '', ...query } }, as)).body
const people = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		firstName: `Person ${from + index}`,
		lastName: '',
		number: `98${String(10_000_000 + from + index)}`,
	}))
const newGroup = async (name: string, as = shop) =>
	(await app.call(contactGroups.create, { body: { name, type: 'national' } }, as)).body.contactGroup._id
const countsAreRight = async (as: TestAccount) =>
	assert.deepEqual([...(await listCountDrift(app.context.db, as.accountId))], [])

test('contacts.addMany saves valid rows, returns each invalid row with its reason, and changes nothing when repeated', async () => {
	const person = await app.signIn('user')
	const group = await newGroup('Bulk', person)
	const rows: (Row | null)[] = [
		{ firstName: 'Asha', lastName: 'Rao', number: '9876543210' },
		{ firstName: '', lastName: 'x', number: '9876543211' },
		{ firstName: 'Ravi', lastName: '', number: 'none' },
		{ firstName: 'Short', lastName: '', number: '9.19E+11' },
		{ firstName: 'Twin', lastName: '', number: '+91 98765 43210' },
		{ firstName: 'Number', lastName: null, number: 919_812_345_678 },
		{ firstName: 'x'.repeat(101), lastName: '', number: '9876543212' },
		{ firstName: 'Nul\0l', lastName: '\ud800', number: '९८७६५४३२१३' },
		{},
		null,
	]
	const first = await addMany(rows, group, person)
	assert.equal(first.status, 200)
	assert.equal(first.body.message, '3 contacts uploaded successfully')
	assert.deepEqual([first.body.savedContacts, first.body.existingContacts], [3, 1])
	assert.deepEqual(first.body.errors, [
		'9876543211: First name and number are required',
		'none: Invalid phone number format',
		`9.19E+11: ${SHORTENED}`,
		'+91 98765 43210: The same number as in row 1',
		'9876543212: First name is too long',
		'A row without name and number: First name and number are required',
		'A row without name and number: First name and number are required',
	])
	assert.deepEqual(
		first.body.rejected.map(({ index }) => index),
		[1, 2, 3, 4, 6, 8, 9],
	)
	const kept = await list({}, person)
	assert.deepEqual(
		kept.contacts.map((row) => [row.firstName, row.number, row.group?.name]),
		[
			['Nul l', '919876543213', 'Bulk'],
			['Number', '919812345678', 'Bulk'],
			['Asha', '919876543210', 'Bulk'],
		],
	)
	const second = await addMany(rows, group, person)
	assert.deepEqual([second.body.savedContacts, second.body.existingContacts], [0, 4])
	assert.deepEqual(await list({}, person), kept)
	await countsAreRight(person)
})

test('contacts.addMany returns 400 and saves nothing when the list is missing, empty, too long or has only empty rows', async () => {
	const none = await app.call(contacts.addMany, { body: {} as never }, shop)
	assert.deepEqual([none.status, none.body.message], [400, 'No valid contacts found in CSV'])
	assert.equal((await addMany([])).body.message, 'No valid contacts found in CSV')
	const blank = await addMany([{ firstName: ' ', number: '9876543210' }, { firstName: 'Asha' }])
	assert.deepEqual([blank.status, blank.body.message], [400, 'No valid contacts found in CSV'])
	const many = await addMany(people(5001))
	assert.deepEqual([many.status, many.body.message], [400, 'At most 5,000 contacts can be sent at once'])
})

test('contacts.addMany returns 404 and saves nothing when the group is unknown', async () => {
	const person = await app.signIn('user')
	const theirs = await newGroup('Theirs')
	const answer = await addMany(people(3), theirs, person)
	assert.deepEqual([answer.status, answer.body.message], [404, 'Contact group not found'])
	assert.equal((await list({}, person)).total, 0)
})

test('contacts.addMany saves and counts each row once when concurrent calls send the same rows in other orders', async () => {
	const person = await app.signIn('user')
	const rows = people(2000)
	const answers = await Promise.all(
		[rows, rows.toReversed(), rows, rows.toReversed()].map((each) => addMany(each, null, person)),
	)
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200, 200, 200],
	)
	assert.equal(
		answers.reduce((sum, { body }) => sum + body.savedContacts, 0),
		2000,
	)
	assert.equal((await list({}, person)).total, 2000)
	await countsAreRight(person)
})

test('cached counts equal the number of contacts after concurrent adds, edits, moves and deletes', async () => {
	const person = await app.signIn('user')
	const [a, b] = [await newGroup('A', person), await newGroup('B', person)]
	await addMany(people(90), a, person)
	const ids = (await list({ limit: 100 }, person)).contacts.map(({ _id }) => _id)
	const edit = { firstName: 'Edited', number: '9800000001', group: b }
	await Promise.all([
		app.call(contacts.move, { body: { ids: ids.slice(0, 60), group: b } }, person),
		app.call(contacts.move, { body: { ids: ids.slice(30).toReversed(), group: null } }, person),
		app.call(contacts.removeMany, { body: { ids: ids.slice(20, 50) } }, person),
		app.call(contacts.remove, { params: { id: ids[55] ?? '' } }, person),
		app.call(contacts.update, { params: { id: ids[5] ?? '' }, body: edit }, person),
		addMany(people(50, 1000), b, person),
	])
	await countsAreRight(person)
	const { body } = await app.call(contacts.groups, { query: { page: 1, limit: 10, search: '' } }, person)
	const total = (await list({ group: b }, person)).total
	assert.equal(body.contactGroups.find(({ name }) => name === 'B')?.contacts, total)
	assert.equal((await list({ group: b, limit: 1000 }, person)).contacts.length, total)
})

test('contactGroups.remove hides the group from lists and filters, and keeps its contacts without a group', async () => {
	const person = await app.signIn('user')
	const group = await newGroup('Gone', person)
	await addMany(people(5), group, person)
	const { body } = await app.call(contactGroups.remove, { params: { id: group } }, person)
	assert.equal(body.message, 'Contact group deleted successfully')
	const left = await list({}, person)
	assert.deepEqual([left.total, left.contacts[0]?.group], [5, null])
	assert.equal((await list({ group }, person)).total, 0)
	assert.equal((await addMany(people(1, 50), group, person)).status, 404)
	const { status } = await app.call(
		contactGroups.update,
		{ params: { id: group }, body: { name: 'A', type: 'national' } },
		person,
	)
	assert.equal(status, 404)
	await app.call(contacts.removeMany, { body: { ids: left.contacts.map(({ _id }) => _id) } }, person)
	await countsAreRight(person)
})

test('contactGroups.create returns 400 without a name or a type', async () => {
	for (const body of [{}, { name: ' ', type: 'national' }, { name: 'A' }, { name: 'A', type: 'local' }]) {
		const answer = await app.call(contactGroups.create, { body: body as never }, shop)
		assert.deepEqual([answer.status, answer.body.message], [400, 'Name and type are required'])
	}
})

test('contacts.list returns hasMore and a total that grows by page when many contacts match a search', async () => {
	const person = await app.signIn('user')
	await addMany(people(120), null, person)
	const first = await list({ search: 'person', limit: 10 }, person)
	assert.deepEqual([first.total, first.hasMore, first.pages], [30, true, 4])
	const last = await list({ search: 'person', limit: 10, page: 12 }, person)
	assert.deepEqual([last.total, last.hasMore, last.contacts.length], [120, false, 10])
	const far = await list({ limit: 10, page: 12 }, person)
	assert.deepEqual([far.contacts.at(-1)?.firstName, far.contacts.length], ['Person 0', 10])
})

test('contacts.setOptOut records each opt-out and opt-in once, and nothing when repeated', async () => {
	const person = await app.signIn('user')
	await addMany(people(1), null, person)
	const { _id: id = '', number = '' } = (await list({}, person)).contacts[0] ?? {}
	const set = async (optedOut: boolean) =>
		(await app.call(contacts.setOptOut, { params: { id }, body: { optedOut } }, person)).body.contact
	const shown = [await set(true), await set(true), await set(false)]
	assert.deepEqual(
		shown.map(({ optedOut, optedOutBecause }) => [optedOut, optedOutBecause]),
		[
			[true, 'manual'],
			[true, 'manual'],
			[false, null],
		],
	)
	assert.equal(shown[0]?.optedOutAt, shown[1]?.optedOutAt)
	for (let time = 0; time < 2; time++) {
		await optOutNumbers(app.context.db, person.accountId, { numbers: [number], because: 'network' })
	}
	const { body } = await app.call(contacts.optOuts, { params: { id } }, person)
	assert.deepEqual(
		body.changes.map(({ optedOut, because }) => [optedOut, because]),
		[
			[true, 'network'],
			[false, 'manual'],
			[true, 'manual'],
		],
	)
})

test('contacts.exportCsv escapes cells that a spreadsheet would run as formulas, and its rows upload as the same contacts', async () => {
	const person = await app.signIn('user')
	const names = ['=1+1', '+SUM(A1)', '-2', '@cmd', '"quoted", with comma', 'अमिता', ' =x', '＝1']
	await addMany(
		names.map((firstName, index) => ({
			firstName,
			lastName: '=HYPERLINK("http://x")',
			number: `98765000${10 + index}`,
		})),
		null,
		person,
	)
	const { body } = await app.call(contacts.exportCsv, {}, person)
	const text = await (body as unknown as Blob).text()
	const lines = text.trim().split('\r\n')
	assert.equal(lines.length, names.length + 1)
	for (const line of lines) assert.doesNotMatch(line, /(^|,)"?\s*[=+\-@＝]/)
	assert.match(text, /^firstName,lastName,number,group,optedOut,addedOn,consentSource,consentWords,consentOn,tags\r\n/)
})

test('contacts.exportCsv writes numbers that a spreadsheet does not change, and its columns upload as the same numbers and opt-outs', async () => {
	const from = await app.signIn('user')
	const rows = ['+65 8123 4567', '9811000001', '+1 702 555 0123'].map((number, at) => ({
		firstName: `P${at}`,
		lastName: '',
		number,
		optedOut: at === 0,
	}))
	await app.call(contacts.addMany, { body: { contacts: rows, group: null } }, from)
	const { body } = await app.call(contacts.exportCsv, {}, from)
	const [, ...lines] = (await (body as unknown as Blob).text()).trim().split('\r\n')
	const cells = lines.map((line) => line.split(','))
	assert.deepEqual(
		cells.map(([, , number, , optedOut]) => [number, optedOut]),
		[
			['(+65) 8123 4567', 'yes'],
			['(+91) 98110 00001', 'no'],
			['(+1) 702 555 0123', 'no'],
		],
	)
	const to = await app.signIn('user')
	const again = cells.map(([firstName = '', , number = '', , optedOut = '']) => ({
		firstName,
		lastName: '',
		number,
		optedOut,
	}))
	await app.call(contacts.addMany, { body: { contacts: again, group: null } }, to)
	assert.deepEqual(
		(await list({}, to)).contacts.map((one) => [one.number, one.optedOut]),
		[
			['17025550123', false],
			['919811000001', false],
			['6581234567', true],
		],
	)
})

const convert = (bytes: Uint8Array, name = 'a.xlsx', type = 'application/octet-stream') =>
	app.call(contacts.readSpreadsheet, { files: { file: new File([new Uint8Array(bytes)], name, { type }) } }, shop)

test('contacts.readSpreadsheet returns the first sheet of an Excel file as CSV, and 400 for a file of another format', async () => {
	const rows = [
		['firstName', 'number'],
		['Asha', 919876543210],
		['+Plus', '9812345678'],
	]
	const good = await convert(tableWorkbook(rows))
	assert.equal(good.status, 200)
	const text = await (good.body as unknown as Blob).text()
	assert.equal(text.replace(/^\ufeff/, ''), 'firstName,number\r\nAsha,919876543210\r\n+Plus,9812345678\r\n')
	const bad = await convert(Buffer.from('firstName,number'))
	assert.equal(bad.status, 400)
	assert.match(bad.body.message ?? '', /not an Excel file/)
})

test('contacts.readSpreadsheet reads a workbook with macros, and returns 415 for a file of another name and type', async () => {
	const bytes = workbook(textRow(['firstName', 'number']), { 'xl/vbaProject.bin': Buffer.from('a macro') })
	for (const type of ['application/octet-stream', 'application/vnd.ms-excel.sheet.macroEnabled.12']) {
		const { status, body } = await convert(bytes, 'Customers.XLSM', type)
		assert.equal(status, 200)
		const text = await (body as unknown as Blob).text()
		assert.equal(text.replace(/^\ufeff/, ''), 'firstName,number\r\n')
	}
	assert.equal((await convert(bytes, 'customers.pdf', 'application/pdf')).status, 415)
})

test('contacts.sampleCsv returns sample_contacts.csv, whose header has the columns that an upload needs', async () => {
	const { body, headers } = await app.call(contacts.sampleCsv, {}, shop)
	assert.match(headers.get('content-disposition') ?? '', /filename="sample_contacts\.csv"/)
	const [header] = (await (body as unknown as Blob).text()).split('\r\n')
	assert.equal(header?.replace(/^\ufeff/, ''), 'firstName,lastName,number')
})
