import assert from 'node:assert/strict'
import { test } from 'node:test'
import { work } from '#features/auth/work-contract.ts'
import { templates } from '#features/templates/contract.ts'
import { campaignRow, template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { templateTests } from '#test/scenes/template-tests.ts'

const app = await launchTestApp({ simulator: true })
const given = templateTests(app)

test('remove deletes all languages at Meta and here', async () => {
	const { person } = await given.connected()
	await given.create(person)
	await given.create(person, { language: 'hi' })
	await given.create(person, { name: 'other' })
	const remove = (name: string) => app.call(templates.remove, { params: { name } }, person)
	const { status, body } = await remove('order_update')
	assert.deepEqual([status, body.message], [200, 'Template deleted successfully'])
	await app.call(templates.sync, {}, person)
	assert.deepEqual(
		(await given.list(person)).templates.map(({ name }) => name),
		['other'],
	)
	assert.equal((await remove('order_update')).status, 404)
	const { actions } = (
		await app.call(work.list, { query: { page: 1, limit: 10, search: '', group: 'templates' } }, person)
	).body
	assert.deepEqual(
		actions.map(({ action, details }) => [action, details]),
		[
			['template-deleted', 'Order update'],
			['template-created', 'Other'],
			['template-created', 'Order update'],
			['template-created', 'Order update'],
		],
	)
})

test('remove deletes a template here that Meta no longer has', async () => {
	const { person } = await given.connected()
	await template(app.context.db, person.accountId, { name: 'long_gone' })
	assert.equal((await app.call(templates.remove, { params: { name: 'long_gone' } }, person)).status, 200)
	assert.equal((await given.list(person)).total, 0)
})

test('remove returns 409 while a campaign still has to send the template, and Meta’s words when Meta refuses', async () => {
	const { person, waba_id } = await given.connected()
	const { db } = app.context
	await template(db, person.accountId, { name: 'offer' })
	await campaignRow(db, person.accountId, { name: 'Diwali', status: 'pending' })
	const used = await app.call(templates.remove, { params: { name: 'offer' } }, person)
	assert.equal(used.status, 409)
	assert.match(used.body.message, /The campaign "Diwali" still has to send this template/)
	await given.create(person)
	await app.simulator.control.disableTemplate({ waba_id, name: 'order_update', language: 'en_US' })
	const disabled = await app.call(templates.remove, { params: { name: 'order_update' } }, person)
	assert.deepEqual([disabled.status, disabled.body.message], [400, 'A disabled template cannot be deleted.'])
	assert.equal((await given.list(person)).total, 2)
})

test('create and remove accept a name of 512 characters', async () => {
	const { person } = await given.connected()
	const name = 'n'.repeat(512)
	assert.equal((await given.create(person, { name })).status, 200)
	assert.equal((await app.call(templates.remove, { params: { name } }, person)).status, 200)
})
