import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldRows } from '#app/server/housekeeping/retention.ts'
import { contacts } from '#features/contacts/contract.ts'
import { privacy } from '#features/privacy/contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

const CONSENT = { source: 'Order form on our website', words: 'Yes, send me offers', agreedOn: '2026-03-01' }
const LATER = { source: 'Shop register', words: 'I want offers on WhatsApp', agreedOn: '2026-05-01' }
const NUMBER = '919876543210'

const app = await launchTestApp()

const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		firstName: `Person ${index}`,
		lastName: '',
		number: `98${String(76_543_210 + index)}`,
	}))
const upload = (as: TestAccount, body: object) =>
	app.call(contacts.addMany, { body: { contacts: people(3), ...body } }, as)
const list = async (as: TestAccount) =>
	(await app.call(contacts.list, { query: { page: 1, limit: 100, search: '' } }, as)).body.contacts
const textOf = async (answer: Promise<{ body: unknown }>) => ((await answer).body as Blob).text()
const consentRows = (as: TestAccount) =>
	app.context.db<{ source: string }[]>`select source from consents where account_id = ${as.accountId} order by id`

test('contacts.addMany stores one consent for all calls of an upload', async () => {
	const as = await app.signIn('user')
	const all = people(40)
	await upload(as, { contacts: all.slice(0, 20), consent: CONSENT })
	await upload(as, { contacts: all.slice(20), consent: CONSENT })
	assert.deepEqual([...(await consentRows(as))], [{ source: CONSENT.source }])
	const [row] = await app.context.db<{ noted: number }[]>`
		select count(*) as noted from contacts where account_id = ${as.accountId} and consent_id is not null
	`
	assert.equal(row?.noted, 40)
	assert.deepEqual((await list(as))[0]?.consent, CONSENT)
})

test('contacts.addMany without a consent stores none', async () => {
	const as = await app.signIn('user')
	assert.equal((await upload(as, {})).body.savedContacts, 3)
	assert.deepEqual([...new Set((await list(as)).map(({ consent }) => consent))], [null])
	assert.equal((await consentRows(as)).length, 0)
})

test('contacts.addMany keeps the later of two consents of a contact, in either order', async () => {
	const as = await app.signIn('user')
	await upload(as, {})
	for (const consent of [LATER, CONSENT]) assert.equal((await upload(as, { consent })).body.savedContacts, 0)
	for (const { consent } of await list(as)) assert.deepEqual(consent, LATER)
})

test('contacts.addMany returns 400 with the field and adds nothing when a consent is incomplete or lies in the future', async () => {
	const as = await app.signIn('user')
	const wrong = [
		[{ ...CONSENT, source: ' ' }, 'Say where they agreed'],
		[{ ...CONSENT, words: '' }, 'Paste the text they agreed to'],
		[{ ...CONSENT, words: 'x'.repeat(501) }, 'At most 500 characters are allowed'],
		[{ ...CONSENT, agreedOn: '2999-01-01' }, 'Choose the day when they agreed: today, or one before'],
		[{ ...CONSENT, agreedOn: '2026-02-31' }, 'Choose the day when they agreed: today, or one before'],
	] as const
	for (const [consent, message] of wrong) {
		const answer = await upload(as, { consent })
		assert.deepEqual([answer.status, answer.body.message], [400, message])
	}
	assert.equal((await list(as)).length, 0)
})

test('contacts.update keeps a consent that the body leaves out, changes a given one, and deletes it with null', async () => {
	const as = await app.signIn('user')
	const typed = { firstName: 'Asha', lastName: '', number: NUMBER, group: null }
	const added = await app.call(contacts.create, { body: { ...typed, consent: CONSENT } }, as)
	assert.deepEqual(added.body.contact.consent, CONSENT)
	const update = async (body: object) => {
		const params = { id: added.body.contact._id }
		return (await app.call(contacts.update, { params, body: { ...typed, ...body } }, as)).body.contact.consent
	}
	assert.deepEqual(await update({ lastName: 'Rao' }), CONSENT)
	assert.deepEqual(await update({ consent: LATER }), LATER)
	assert.equal(await update({ consent: null }), null)
})

test('deleteOldRows deletes consents that no contact references, and keeps the others', async () => {
	const as = await app.signIn('user')
	await upload(as, { consent: CONSENT })
	const other = { firstName: 'Asha', lastName: '', number: '919812345678', group: null }
	const { contact } = (await app.call(contacts.create, { body: { ...other, consent: LATER } }, as)).body
	await app.call(contacts.remove, { params: { id: contact._id } }, as)
	await deleteOldRows(app.context)
	assert.deepEqual([...(await consentRows(as))], [{ source: CONSENT.source }])
})

test('the consent appears in the CSV export and in the person’s data, and is deleted with the person', async () => {
	const as = await app.signIn('user')
	const typed = { firstName: 'Asha', lastName: '', number: NUMBER, group: null }
	await app.call(contacts.create, { body: { ...typed, consent: { ...CONSENT, words: 'quagmire' } } }, as)
	const csv = await textOf(app.call(contacts.exportCsv, { query: { search: '' } }, as))
	assert.match(csv, /Order form on our website,quagmire,2026-03-01/)
	const person = { query: { number: NUMBER } }
	assert.equal((await app.call(privacy.person, person, as)).body.consent?.words, 'quagmire')
	assert.match(await textOf(app.call(privacy.download, person, as)), /"words": "quagmire"/)
	const erased = await app.call(privacy.erase, { body: { number: NUMBER } }, as)
	assert.equal(erased.body.counts.consents, 1)
	const found = await app.context.db`select 1 from consents where words = 'quagmire'`
	assert.equal(found.length, 0)
})
