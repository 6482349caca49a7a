import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, customFields, type FieldType } from '#features/contacts/custom-fields.ts'
import type { PartIn } from '#lib/endpoint.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

async function withFields(): Promise<{ as: TestAccount; ids: Record<string, string> }> {
	const as = await app.signIn('user')
	const ids: Record<string, string> = {}
	const wanted: [string, FieldType][] = [
		['City', 'text'],
		['Bill', 'number'],
		['Birthday', 'date'],
		['Member', 'yesno'],
	]
	for (const [name, type] of wanted) ids[name] = await addField(as, name, type)
	return { as, ids }
}

async function addField(as: TestAccount, name: string, type: FieldType = 'text'): Promise<string> {
	const { status, body } = await app.call(customFields.create, { body: { name, type } }, as)
	assert.equal(status, 200, JSON.stringify(body))
	return body.field._id
}

type Row = PartIn<typeof contacts.addMany.body>['contacts'][number]
const upload = (as: TestAccount, rows: Row[], rest: Omit<PartIn<typeof contacts.addMany.body>, 'contacts'> = {}) =>
	app.call(contacts.addMany, { body: { contacts: rows, ...rest } }, as)

async function listed(as: TestAccount, query: { tag?: string; search?: string; field?: string; value?: string } = {}) {
	const { body } = await app.call(contacts.list, { query: { page: 1, limit: 100, search: '', ...query } }, as)
	assert.equal(body.total, body.contacts.length)
	return Object.fromEntries(body.contacts.map(({ firstName, tags, fields }) => [firstName, { tags, fields }]))
}

async function tagId(as: TestAccount, name: string): Promise<string> {
	const { body } = await app.call(customFields.list, {}, as)
	return body.tags.find((tag) => tag.name === name)?._id ?? ''
}

test('contacts.addMany takes the first of two rows with one number completely, and reports the second', async () => {
	const { as, ids } = await withFields()
	const rows = [
		{ firstName: 'Asha', lastName: 'Rao', number: '9811000090', values: ['Pune'], tags: ['VIP'] },
		{
			firstName: 'Twin',
			lastName: 'Later',
			number: '+91 98110 00090',
			values: ['Delhi'],
			tags: ['Late'],
			optedOut: 'yes',
		},
	]
	for (const update of [false, true]) {
		const { body } = await upload(as, rows, { fields: [ids.City ?? ''], update })
		assert.deepEqual(body.errors, ['+91 98110 00090: The same number as in row 1'])
		assert.deepEqual(body.rejected, [{ index: 1, reason: 'The same number as in row 1' }])
		assert.equal(body.optedOutContacts, 0)
		assert.deepEqual(await listed(as), { Asha: { tags: ['VIP'], fields: { City: 'Pune' } } })
	}
})

test('contacts.addMany takes the first of two numbers of a row, and reports the second', async () => {
	const { as } = await withFields()
	const { body } = await upload(as, [{ firstName: 'Asha', lastName: '', number: '98110 00095 ::: 98110 00096' }])
	assert.deepEqual(
		[body.savedContacts, body.errors],
		[1, ['98110 00095 ::: 98110 00096: Left out: the second number +91 98110 00096']],
	)
})

test('contacts.addMany reports the tags and values that it leaves out, and saves all rows', async () => {
	const { as, ids } = await withFields()
	const many = Array.from({ length: 49 }, (_, at) => `T${String(at).padStart(2, '0')}`)
	const rows = [
		{ firstName: 'Many', lastName: '', number: '9811000091', tags: [...many, 'One', 'Two'] },
		{ firstName: 'Long', lastName: '', number: '9811000092', tags: ['x'.repeat(51), 'VIP'] },
		{ firstName: 'Wide', lastName: '', number: '9811000093', values: ['Pune', 'a lot', 'extra'] },
		{ firstName: 'Flood', lastName: '', number: '9811000094', tags: Array.from({ length: 300 }, () => 'vip') },
		{ firstName: 'Plain', lastName: '', number: '9811000095' },
	]
	const { status, body } = await upload(as, rows, { fields: [ids.City ?? '', ids.Bill ?? ''], tags: ['All'] })
	assert.equal(status, 200)
	assert.deepEqual([body.savedContacts, body.skippedValues, body.rejected.length], [5, 2, 0])
	assert.deepEqual(body.errors, [
		'9811000091: 2 tags left out ("Two", "All"): a contact may have 50 tags, and an account 1,000',
		`9811000092: 1 tag left out ("${'x'.repeat(30)}…"): a tag may have 50 characters`,
		'9811000093: "a lot" left out: Bill needs a number',
		'9811000093: 1 value left out ("extra"): no field is named for it',
	])
	assert.deepEqual(
		body.leftOut.map(({ index }) => index),
		[0, 1, 2, 2],
	)
	const kept = await listed(as)
	assert.equal(kept.Many?.tags.length, 50)
	assert.deepEqual([kept.Long?.tags, kept.Flood?.tags, kept.Plain?.tags], [['All', 'VIP'], ['All', 'VIP'], ['All']])
	assert.deepEqual(kept.Wide?.fields, { City: 'Pune' })
	const again = await upload(
		as,
		[{ ...rows[0], firstName: 'Many', lastName: '', number: '9811000091', tags: ['New'] }],
		{
			update: true,
		},
	)
	assert.match(again.body.errors.join(), /1 tag left out \("New"\)/)
})

test('contacts.tag skips and counts contacts with 50 tags, and deleted tags do not count', async () => {
	const as = await app.signIn('user')
	const tags = Array.from({ length: 50 }, (_, at) => `T${at}`)
	await upload(as, [
		{ firstName: 'Full', lastName: '', number: '9811000096', tags },
		{ firstName: 'Free', lastName: '', number: '9811000097' },
	])
	const matching = { search: '', total: 2 }
	const tag = (name: string) => app.call(contacts.tag, { body: { matching, tag: name, isAdded: true } }, as)
	assert.equal(
		(await tag('One more')).body.message,
		'1 contact tagged successfully. 1 contact had 50 tags already, and was left as before.',
	)
	assert.equal((await listed(as)).Full?.tags.length, 50)
	await app.call(contactTags.remove, { params: { id: await tagId(as, 'T7') } }, as)
	assert.equal((await tag('One more')).body.message, '1 contact tagged successfully')
	assert.ok((await listed(as)).Full?.tags.includes('One more'))
})

test('contacts.addMany leaves out the tags over the account’s limit of 1,000 and saves the rows', async () => {
	const as = await app.signIn('user')
	const rows = Array.from({ length: 21 }, (_, row) => ({
		firstName: `P${row}`,
		lastName: '',
		number: `98110002${String(row).padStart(2, '0')}`,
		tags: Array.from({ length: 50 }, (__, at) => `T${row}-${at}`),
	}))
	const { status, body } = await upload(as, rows)
	assert.deepEqual([status, body.savedContacts, body.errors.length], [200, 21, 1])
	assert.match(body.errors[0] ?? '', /^9811000220: 50 tags left out \("T20-0", "T20-1", "T20-2" and 47 more\)/)
})

test('contacts.addMany opts out the numbers of rows with yes, and opts no number in', async () => {
	const as = await app.signIn('user')
	const rows = ['yes', 'no', '', 'हाँ', true].map((optedOut, at) => ({
		firstName: `P${at}`,
		lastName: '',
		number: `981100030${at}`,
		optedOut,
	}))
	const optedOut = async () => {
		const { body } = await app.call(contacts.list, { query: { page: 1, limit: 100, search: '' } }, as)
		return body.contacts.filter((one) => one.optedOut).map(({ firstName }) => firstName)
	}
	assert.equal((await upload(as, rows)).body.optedOutContacts, 3)
	assert.deepEqual((await optedOut()).toSorted(), ['P0', 'P3', 'P4'])
	assert.equal(
		(
			await upload(
				as,
				rows.map((row) => ({ ...row, optedOut: 'no' })),
			)
		).body.optedOutContacts,
		0,
	)
	assert.equal((await optedOut()).length, 3)
})
