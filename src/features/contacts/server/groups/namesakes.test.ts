import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { launchTestApp } from '#test/http-app.ts'

const app = await launchTestApp()

test('contactGroups.create and update return 409 when the name differs from another group’s only in case and spaces', async () => {
	const person = await app.signIn('user')
	const newGroup = async (name: string) => {
		const { body } = await app.call(contactGroups.create, { body: { name, type: 'national' } }, person)
		return body.contactGroup._id
	}
	await newGroup('VIP  Customers')
	const other = await newGroup('Others')
	const taken = [409, 'There is a contact group of this name already']
	const create = await app.call(contactGroups.create, { body: { name: ' vip customers ', type: 'national' } }, person)
	assert.deepEqual([create.status, create.body.message], taken)
	const rename = (name: string) =>
		app.call(contactGroups.update, { params: { id: other }, body: { name, type: 'national' } }, person)
	const refused = await rename('Vip Customers')
	assert.deepEqual([refused.status, refused.body.message], taken)
	assert.equal((await rename('OTHERS')).status, 200)
	await app.call(contactGroups.remove, { params: { id: other } }, person)
	assert.ok(await newGroup('others'))
})
