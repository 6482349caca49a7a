import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, customFields, type FieldType, MAX_FIELDS, readValues } from '#features/contacts/custom-fields.ts'
import type { PartIn } from '#lib/endpoint.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { untilLocked } from '#test/until.ts'
import { listFields, type Field } from './field-queries.ts'
import { writeGiven } from './values.ts'

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

test('contacts.create and contacts.update store tags and values in one spelling and return them', async () => {
	const { as } = await withFields()
	const fields = { City: 'Pune', bill: '₹1,250.50', Birthday: '25/11/1990', Member: 'Y' }
	const body = { firstName: 'Asha', number: '9811000001', tags: ['VIP', 'vip', 'Gold'], fields }
	const created = await app.call(contacts.create, { body }, as)
	assert.equal(created.status, 200)
	assert.deepEqual(created.body.contact.tags, ['Gold', 'VIP'])
	assert.deepEqual(created.body.contact.fields, { City: 'Pune', Bill: '1250.5', Birthday: '1990-11-25', Member: 'yes' })
	const change = { firstName: 'Asha', number: '9811000001', tags: ['Gold'], fields: { City: '', Member: 'no' } }
	const changed = await app.call(contacts.update, { params: { id: created.body.contact._id }, body: change }, as)
	assert.deepEqual(changed.body.contact.tags, ['Gold'])
	assert.deepEqual(changed.body.contact.fields, { Bill: '1250.5', Birthday: '1990-11-25', Member: 'no' })
	const renamed = { firstName: 'Asha R', number: '9811000001' }
	const kept = await app.call(contacts.update, { params: { id: created.body.contact._id }, body: renamed }, as)
	assert.deepEqual(kept.body.contact.fields, changed.body.contact.fields)
	assert.deepEqual(kept.body.contact.tags, ['Gold'])
})

test('contacts.create returns 400 and adds nothing when a value does not fit its type or its field is unknown', async () => {
	const { as } = await withFields()
	const wrong: Record<string, string>[] = [
		{ Birthday: 'soon' },
		{ Bill: 'much' },
		{ Member: 'perhaps' },
		{ Shoe: '42' },
	]
	for (const fields of wrong) {
		const { status } = await app.call(contacts.create, { body: { firstName: 'A', number: '9811000002', fields } }, as)
		assert.equal(status, 400, JSON.stringify(fields))
	}
	assert.deepEqual(await listed(as), {})
})

test('contacts.addMany writes the values of new contacts, and the values of existing contacts only with update', async () => {
	const { as, ids } = await withFields()
	const fields = [ids.City ?? '', ids.Bill ?? '']
	const first = [
		{ firstName: 'Asha', lastName: '', number: '9811000010', values: ['Pune', '100'], tags: ['VIP'] },
		{ firstName: 'Rahul', lastName: '', number: '9811000011', values: ['Delhi', 'a lot'] },
	]
	const { body } = await upload(as, first, { fields, tags: ['Diwali'] })
	assert.deepEqual([body.savedContacts, body.skippedValues], [2, 1])
	assert.deepEqual(await listed(as), {
		Asha: { tags: ['Diwali', 'VIP'], fields: { City: 'Pune', Bill: '100' } },
		Rahul: { tags: ['Diwali'], fields: { City: 'Delhi' } },
	})
	const again = first.map((row) => ({ ...row, values: ['', '250'], tags: ['Late'] }))
	assert.equal((await upload(as, again, { fields })).body.updatedContacts, 0)
	assert.deepEqual((await listed(as)).Asha?.fields, { City: 'Pune', Bill: '100' })
	assert.equal((await upload(as, again, { fields, update: true })).body.updatedContacts, 2)
	assert.equal((await upload(as, again, { fields, update: true })).body.updatedContacts, 0)
	assert.deepEqual(await listed(as), {
		Asha: { tags: ['Diwali', 'Late', 'VIP'], fields: { City: 'Pune', Bill: '250' } },
		Rahul: { tags: ['Diwali', 'Late'], fields: { City: 'Delhi', Bill: '250' } },
	})
})

test('contacts.list and contacts.count find the contacts of a tag within a search, and none after the tag is deleted', async () => {
	const { as } = await withFields()
	await upload(as, [
		{ firstName: 'Asha', lastName: '', number: '9811000020', tags: ['VIP'] },
		{ firstName: 'Anil', lastName: '', number: '9811000021', tags: ['VIP'] },
		{ firstName: 'Rahul', lastName: '', number: '9811000022' },
	])
	const tag = await tagId(as, 'VIP')
	assert.deepEqual(Object.keys(await listed(as, { tag })).toSorted(), ['Anil', 'Asha'])
	assert.deepEqual(Object.keys(await listed(as, { tag, search: 'ash' })), ['Asha'])
	const count = async () => (await app.call(contacts.count, { query: { search: '', tag } }, as)).body.total
	assert.equal(await count(), 2)
	const { status } = await app.call(contactTags.remove, { params: { id: tag } }, as)
	assert.equal(status, 200)
	assert.deepEqual(await listed(as, { tag }), {})
	assert.equal(await count(), 0)
	const { body } = await app.call(contacts.exportCsv, { query: { search: '', tag } }, as)
	assert.equal((await (body as Blob).text()).trim().split('\r\n').length, 1)
	assert.deepEqual((await listed(as)).Asha?.tags, [])
})

test('contacts.list, count, exportCsv and bulk calls find contacts by the value of a field', async () => {
	const { as, ids } = await withFields()
	const add = (firstName: string, number: string, fields: Record<string, string>) =>
		app.call(contacts.create, { body: { firstName, number, fields } }, as)
	await add('Asha', '9811000025', { City: 'Pune', Bill: '100', Birthday: '1990-11-25', Member: 'no' })
	await add('Bina', '9811000026', { City: 'New Delhi', Bill: '1000' })
	await add('Chirag', '9811000027', {})
	const cases = [
		['City', 'pune', 'Asha'],
		['City', 'delhi', 'Bina'],
		['City', '', 'Asha Bina'],
		['City', '%', ''],
		['Bill', '₹1,000', 'Bina'],
		['Bill', 'much', ''],
		['Birthday', '25/11/1990', 'Asha'],
		['Member', 'no', 'Asha'],
	] as const
	for (const [name, value, expected] of cases) {
		const found = Object.keys(await listed(as, { field: ids[name] ?? '', value }))
		assert.equal(found.toSorted().join(' '), expected, `${name} ${value}`)
	}
	const query = { search: '', field: ids.City ?? '', value: 'Pune' }
	const exported = async () => {
		const { body } = await app.call(contacts.exportCsv, { query }, as)
		return (await (body as Blob).text()).trim().split('\r\n').length - 1
	}
	const matching = { ...query, total: 1 }
	assert.equal((await app.call(contacts.count, { query }, as)).body.total, 1)
	assert.equal(await exported(), 1)
	const tagged = await app.call(contacts.tag, { body: { matching, tag: 'Local', isAdded: true } }, as)
	assert.equal(tagged.body.message, '1 contact tagged successfully')
	assert.deepEqual((await listed(as)).Asha?.tags, ['Local'])
	await app.call(customFields.remove, { params: { id: query.field } }, as)
	assert.deepEqual([await listed(as, query), await exported()], [{}, 0])
	assert.equal((await app.call(contacts.removeMany, { body: { matching } }, as)).status, 409)
})

test('contacts.tag adds a tag to chosen contacts or all that match, and removes it', async () => {
	const { as } = await withFields()
	const numbers = ['9811000030', '9811000031', '9811000032']
	await upload(
		as,
		numbers.map((number, at) => ({ firstName: `P${at}`, lastName: '', number })),
	)
	const { body } = await app.call(contacts.list, {}, as)
	const ids = body.contacts.filter(({ firstName }) => firstName !== 'P2').map(({ _id }) => _id)
	const tagged = await app.call(contacts.tag, { body: { ids, tag: 'New', isAdded: true } }, as)
	assert.equal(tagged.body.message, '2 contacts tagged successfully')
	const again = await app.call(contacts.tag, { body: { ids, tag: 'new', isAdded: true } }, as)
	assert.equal(again.body.message, '0 contacts tagged successfully')
	const tag = await tagId(as, 'New')
	const matching = { search: '', tag, total: 2 }
	const also = await app.call(contacts.tag, { body: { matching, tag: 'Both', isAdded: true } }, as)
	assert.equal(also.body.message, '2 contacts tagged successfully')
	const removed = await app.call(contacts.tag, { body: { matching, tag: 'New', isAdded: false } }, as)
	assert.equal(removed.body.message, '2 contacts untagged successfully')
	assert.deepEqual((await listed(as)).P0?.tags, ['Both'])
	const stale = await app.call(contacts.tag, { body: { matching, tag: 'Late', isAdded: true } }, as)
	assert.equal(stale.status, 409)
})

test('customFields.remove deletes the field’s values, and the next field starts empty', async () => {
	const { as, ids } = await withFields()
	await upload(as, [{ firstName: 'Asha', lastName: '', number: '9811000040', values: ['Pune', '5'] }], {
		fields: [ids.City ?? '', ids.Bill ?? ''],
	})
	for (const name of ['City', 'Bill'])
		assert.equal((await app.call(customFields.remove, { params: { id: ids[name] ?? '' } }, as)).status, 200)
	await addField(as, 'Area', 'text')
	await addField(as, 'Points', 'number')
	assert.deepEqual((await listed(as)).Asha?.fields, {})
})

const givenTo = (number: string, fields: Field[], typed: Record<string, string>) =>
	new Map([[number, readValues(fields, typed)]])

test('customFields.remove during a write of values leaves no value for the next field', async () => {
	const { as, ids } = await withFields()
	const { db } = app.context
	const { accountId } = as
	const remove = (name: string) => app.call(customFields.remove, { params: { id: ids[name] ?? '' } }, as)
	const number = '919811000045'
	await app.call(contacts.create, { body: { firstName: 'Asha', number } }, as)
	const fields = await listFields(db, accountId)
	const removing = await transaction(db, async (sql) => {
		await writeGiven(sql, accountId, {
			given: givenTo(number, fields, { City: 'Pune', Bill: '5' }),
			existing: 'replace',
		})
		const removal = remove('City')
		await Promise.race([removal, untilLocked(db)])
		return { removal }
	})
	assert.equal((await removing.removal).status, 200)
	await addField(as, 'Area')
	assert.deepEqual((await listed(as)).Asha?.fields, { Bill: '5' })
	await transaction(db, (sql) =>
		writeGiven(sql, accountId, {
			given: givenTo(number, fields, { City: 'Delhi', Member: 'yes' }),
			existing: 'replace',
		}),
	)
	assert.deepEqual((await listed(as)).Asha?.fields, { Bill: '5', Member: 'yes' })
})

test('customFields.rename and contactTags.rename change the name, and return 409 when the name is taken', async () => {
	const { as, ids } = await withFields()
	await upload(
		as,
		[{ firstName: 'Asha', lastName: '', number: '9811000050', tags: ['VIP', 'Gold'], values: ['Pune'] }],
		{
			fields: [ids.City ?? ''],
		},
	)
	const field = await app.call(customFields.rename, { params: { id: ids.City ?? '' }, body: { name: 'Town' } }, as)
	assert.deepEqual(field.body.field, { _id: ids.City, name: 'Town', type: 'text' })
	const tag = await tagId(as, 'VIP')
	await app.call(contactTags.rename, { params: { id: tag }, body: { name: 'Platinum' } }, as)
	assert.deepEqual((await listed(as)).Asha, { tags: ['Gold', 'Platinum'], fields: { Town: 'Pune' } })
	const taken = await app.call(customFields.rename, { params: { id: ids.City ?? '' }, body: { name: 'bill' } }, as)
	const takenTag = await app.call(contactTags.rename, { params: { id: tag }, body: { name: 'GOLD' } }, as)
	assert.deepEqual([taken.status, takenTag.status], [409, 409])
})

test('an account is limited to 30 fields and a contact to 50 tags, and a field may not have a built-in name', async () => {
	const as = await app.signIn('user')
	for (let at = 0; at < MAX_FIELDS; at++) await addField(as, `Field ${at}`)
	const create = (name: string) => app.call(customFields.create, { body: { name, type: 'text' } }, as)
	assert.equal((await create('One more')).status, 409)
	assert.equal((await create('firstName')).status, 400)
	assert.equal((await create('a}b')).status, 400)
	assert.equal((await create('constructor')).status, 400)
	const tags = Array.from({ length: 51 }, (_, at) => `T${at}`)
	const body = { firstName: 'A', number: '9811000060', tags }
	assert.equal((await app.call(contacts.create, { body }, as)).status, 400)
	assert.equal((await app.call(contacts.create, { body: { ...body, tags: tags.slice(1) } }, as)).status, 200)
})

test('contacts.remove deletes the contact’s values: the same number added again has no tags', async () => {
	const as = await app.signIn('user')
	const row = { firstName: 'Asha', lastName: '', number: '9811000070', tags: ['VIP'] }
	await upload(as, [row])
	const { body } = await app.call(contacts.list, {}, as)
	await app.call(contacts.remove, { params: { id: body.contacts[0]?._id ?? '' } }, as)
	const [left] = await app.context.db`select count(*) as rows from contact_values where account_id = ${as.accountId}`
	assert.equal(left?.rows, 0)
})

test('contacts.exportCsv writes the tags and a column for each field', async () => {
	const { as, ids } = await withFields()
	await upload(
		as,
		[{ firstName: 'Asha', lastName: '', number: '9811000080', tags: ['VIP', 'Gold'], values: ['Pune, West'] }],
		{
			fields: [ids.City ?? ''],
		},
	)
	const { body } = await app.call(contacts.exportCsv, { query: { search: '' } }, as)
	const [header = '', line = ''] = (await (body as Blob).text()).split('\r\n')
	assert.ok(header.endsWith('consentOn,tags,City,Bill,Birthday,Member'), header)
	assert.ok(line.endsWith('"Gold, VIP","Pune, West",,,'), line)
})
