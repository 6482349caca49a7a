import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { customFields, type FieldType } from '#features/contacts/custom-fields.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { listFields } from './field-queries.ts'
import { listKnownValues } from './value-queries.ts'

const app = await launchTestApp()

async function addField(as: TestAccount, name: string, type: FieldType): Promise<string> {
	return (await app.call(customFields.create, { body: { name, type } }, as)).body.field._id
}

test('customFields.values counts the values of a field, one per spelling apart from case, the commonest first', async () => {
	const person = await app.signIn('user')
	const city = await addField(person, 'City', 'text')
	const due = await addField(person, 'Due', 'number')
	const cities = ['Pune', 'Pune', 'pune', 'पुणे', 'पुणे', 'Nashik', '']
	for (const [at, value] of cities.entries())
		await app.call(
			contacts.create,
			{ body: { firstName: 'A', number: `98200000${10 + at}`, fields: { City: value, Due: at < 2 ? '1250.5' : '' } } },
			person,
		)
	const valuesOf = async (id: string, as = person) => app.call(customFields.values, { params: { id } }, as)
	const { body } = await valuesOf(city)
	assert.deepEqual(body, {
		values: [
			{ value: 'Pune', contacts: 3 },
			{ value: 'पुणे', contacts: 2 },
			{ value: 'Nashik', contacts: 1 },
		],
		isSample: false,
	})
	assert.deepEqual((await valuesOf(due)).body.values, [{ value: '1250.5', contacts: 2 }])
	assert.equal((await valuesOf(city, await app.signIn('user'))).status, 404)
})

test('listKnownValues reads the newest contacts only, and says that it is a sample when there are more', async () => {
	const person = await app.signIn('user')
	await addField(person, 'City', 'text')
	for (const [at, City] of ['Delhi', 'Pune', 'Nashik'].entries())
		await app.call(
			contacts.create,
			{ body: { firstName: 'A', number: `98200001${10 + at}`, fields: { City } } },
			person,
		)
	const [field] = await listFields(app.context.db, person.accountId)
	assert.ok(field)
	const read = (sampled: number, limit = 9) =>
		listKnownValues(app.context.db, person.accountId, { field, sampled, limit })
	assert.deepEqual(await read(2), {
		values: [
			{ value: 'Nashik', contacts: 1 },
			{ value: 'Pune', contacts: 1 },
		],
		isSample: true,
	})
	assert.equal((await read(3)).isSample, false)
	assert.equal((await read(3, 1)).values.length, 1)
})
