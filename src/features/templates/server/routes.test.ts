import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { template, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { templates } from '../contract.ts'
import { getTemplate } from './service.ts'

const app = await launchTestApp({ simulator: true })
const admin = await app.signIn('admin')

/** Creates a user with a sender at the simulator. */
async function connected(name?: string) {
	const person = await app.signIn('user')
	const given = await app.simulator.control.createAccount(name ? { name } : {})
	await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body: given }, admin)
	return { person, waba_id: given.waba_id, access_token: given.access_token }
}

const sync = (person: TestAccount) => app.call(templates.sync, {}, person)
const list = async (person: TestAccount, search = '') =>
	(await app.call(templates.list, { query: { page: 1, limit: 1000, search } }, person)).body
const body = (text: string) => [{ type: 'BODY' as const, text }]

test('templates.sync stores all of Meta’s templates with status, quality and category, and list returns them', async () => {
	const { person, waba_id } = await connected()
	const { control } = app.simulator
	await control.addTemplate({ waba_id, name: 'offer', components: body('Sale today!'), quality: 'YELLOW' })
	await control.addTemplate({
		waba_id,
		name: 'order_update',
		category: 'UTILITY',
		components: body('Your order is on its way'),
	})
	const synced = await sync(person)
	assert.deepEqual([synced.status, synced.body], [200, { message: 'Templates synced successfully', count: 2 }])
	const { templates: rows, lastSyncedAt } = await list(person)
	assert.ok(lastSyncedAt && Date.parse(lastSyncedAt) > Date.now() - 60_000)
	const offer = rows.find((row) => row.name === 'offer')
	assert.deepEqual(
		[offer?.status, offer?.category, offer?.quality, offer?.mediaUrl, offer?.components[0]?.text],
		['APPROVED', 'MARKETING', 'MEDIUM', null, 'Sale today!'],
	)
	const order = rows.find((row) => row.name === 'order_update')
	assert.equal(order?.category, 'UTILITY')
	assert.ok(order?.template_id)
})

test('templates.sync updates templates under their ids, and marks templates as gone while Meta does not list them', async () => {
	const { person, waba_id } = await connected()
	const { control } = app.simulator
	const { id } = await control.addTemplate({ waba_id, name: 'stays', components: body('I stay here') })
	await template(app.context.db, person.accountId, { name: 'gone', language: 'en_US' })
	await sync(person)
	const find = async (name: string) => (await list(person)).templates.find((row) => row.name === name)
	const [stays, gone] = [await find('stays'), await find('gone')]
	assert.deepEqual([stays?.isGone, gone?.isGone], [false, true])
	await control.pauseTemplate({ id })
	await control.addTemplate({ waba_id, name: 'gone', components: body('I am back') })
	await sync(person)
	const [paused, back] = [await find('stays'), await find('gone')]
	assert.deepEqual([paused?._id, paused?.status], [stays?._id, 'PAUSED'])
	assert.deepEqual([back?._id, back?.isGone, back?.components[0]?.text], [gone?._id, false, 'I am back'])
})

test('templates.sync reads every page of Meta’s list, and concurrent syncs store each template once', async () => {
	const { person, waba_id } = await connected()
	for (let n = 0; n < 130; n++) {
		await app.simulator.control.addTemplate({
			waba_id,
			name: `t_${n}`,
			components: body(`This is number ${n} of many`),
		})
	}
	const answers = await Promise.all([sync(person), sync(person)])
	assert.deepEqual(
		answers.map((answer) => answer.body.count),
		[130, 130],
	)
	assert.equal((await list(person)).templates.length, 130)
})

test('templates.sync returns 400 naming the administrator when there are no credentials', async () => {
	const { status, body: answer } = await sync(await app.signIn('user'))
	assert.deepEqual(
		[status, answer.message],
		[400, 'WhatsApp credentials are not set up. Please contact your administrator.'],
	)
})

test('templates.sync returns 400 with the reason and changes nothing when Meta refuses', async () => {
	const { person, access_token } = await connected()
	const kept = await template(app.context.db, person.accountId)
	await app.simulator.control.rejectToken({ token: access_token })
	const { status, body: answer } = await sync(person)
	assert.deepEqual(
		[status, answer.message],
		[400, 'WhatsApp does not accept the credentials of your account. Please ask your administrator to check them.'],
	)
	assert.equal((await list(person)).templates[0]?.name, kept.name)
})

test('templates.list returns the account’s templates, the newest first, and finds them by name', async () => {
	const { db } = app.context
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	await template(db, person.accountId, { name: 'summer_sale' })
	await template(db, person.accountId, { name: 'summersale' })
	await template(db, other.accountId, { name: 'summer_sale' })
	const names = async (search: string) => (await list(person, search)).templates.map((row) => row.name)
	assert.deepEqual(await names(''), ['summersale', 'summer_sale'])
	assert.deepEqual(await names('SUMMER'), ['summersale', 'summer_sale'])
	assert.deepEqual(await names('r_s'), ['summer_sale'])
	assert.deepEqual(await names('%'), [])
})

test('getTemplate finds a template by Meta’s id and by ours, in its own account only', async () => {
	const { db } = app.context
	const [person, other] = [await app.signIn('user'), await app.signIn('user')]
	const { id, templateId } = await template(db, person.accountId)
	assert.equal((await getTemplate(db, person.accountId, templateId)).id, id)
	assert.equal((await getTemplate(db, person.accountId, String(id))).templateId, templateId)
	const missing = { status: 404, message: 'Template not found' }
	await assert.rejects(getTemplate(db, other.accountId, templateId), missing)
	await assert.rejects(getTemplate(db, person.accountId, 'no id at all'), missing)
})

test('templates.headerFile returns the stored file with its type, at the address in mediaUrl', async () => {
	const { db, storage } = app.context
	const person = await app.signIn('user')
	const { id } = await template(db, person.accountId)
	const key = `${person.accountId}/headers/offer.png`
	await storage.put(key, Buffer.from('a picture'))
	await db`update templates set header_file = ${key} where account_id = ${person.accountId} and id = ${id}`
	const [row] = (await list(person)).templates
	assert.equal(row?.mediaUrl, `/api/templates/${id}/header`)
	const file = await app.call(templates.headerFile, { params: { id: String(id) } }, person)
	assert.equal(file.headers.get('content-type'), 'image/png')
	assert.equal(await file.body.text(), 'a picture')
	const bare = await template(db, person.accountId)
	assert.equal((await app.call(templates.headerFile, { params: { id: String(bare.id) } }, person)).status, 404)
})

test('templates.profile returns the sender’s names, or Your Business without credentials', async () => {
	const { body: nobody } = await app.call(templates.profile, {}, await app.signIn('user'))
	assert.deepEqual(nobody, {
		success: true,
		verifiedName: 'Your Business',
		businessName: 'Your Business',
		profilePictureUrl: null,
		canUploadHeader: false,
	})
	const { person } = await connected('Chai & Co')
	const { body: profile } = await app.call(templates.profile, {}, person)
	assert.deepEqual(
		[profile.verifiedName, profile.businessName, profile.canUploadHeader],
		['Chai & Co', 'Chai & Co', true],
	)
})
