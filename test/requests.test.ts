import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { bodyBounds } from '#lib/server/http/body/json-body.ts'
import { account, contact, template } from './factories.ts'
import { launchTestApp } from './http-app.ts'

const app = await launchTestApp()
const person = await app.signIn('user')
await contact(app.context.db, person.accountId, { firstName: 'Asha Rao' })

interface Reply {
	status: number
	message: string
}

async function send(path: string, init: { method: string; type?: string; body?: string | FormData }): Promise<Reply> {
	const response = await fetch(app.url + path, {
		method: init.method,
		headers: { authorization: `Bearer ${person.token}`, ...(init.type !== undefined && { 'content-type': init.type }) },
		...(init.body !== undefined && { body: init.body }),
	})
	const { message } = (await response.json()) as { message: string }
	return { status: response.status, message }
}

function campaignForm(fields: Record<string, string>, file?: File): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries({ name: 'Offer', ...fields })) form.set(name, value)
	if (file) form.set('file', file)
	return form
}

test('a call without a body in the contract returns 200 for an empty body labelled as JSON', async () => {
	const { token } = await app.signIn('user')
	const response = await fetch(app.url + auth.logout.path, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
	})
	assert.equal(response.status, 200)
})

test('a call with a body in the contract returns 400 with the missing fields for an empty body labelled as JSON', async () => {
	const reply = await send(contacts.create.path, { method: 'POST', type: 'application/json', body: '' })
	assert.deepEqual(reply, { status: 400, message: 'First name and number are required' })
})

test('an optional text may be null, as in replies', async () => {
	const body = { firstName: 'Ravi', lastName: null, number: '9812345678', group: null }
	const reply = await app.call(contacts.create, { body }, await app.signIn('user'))
	assert.deepEqual([reply.status, reply.body.contact.lastName], [200, null])
})

test('a call with the scheme of its token in lower case returns 200', async () => {
	const response = await fetch(app.url + contacts.latest.path, { headers: { authorization: `bearer ${person.token}` } })
	assert.equal(response.status, 200)
})

test('a search with a NUL character returns the same as with a space', async () => {
	const { body } = await app.call(contacts.list, { query: { search: 'asha\0rao', page: 1, limit: 10 } }, person)
	assert.equal(body.total, 1)
})

test('createCampaign stores a value whose JSON names NUL and half a surrogate pair, which PostgreSQL refuses, with a space and U+FFFD', async () => {
	const rich = await account(app.context, { balancePaise: 1000 })
	await contact(app.context.db, rich.accountId)
	const { templateId } = await template(app.context.db, rich.accountId)
	const body = { name: 'Offer', templateId, variables: '{"var1":"a\\u0000b \\ud800"}', schedule: 'later' as const }
	const order = { ...body, scheduleDatetime: '2099-01-01T10:00:00', timezone: 'Asia/Kolkata' }
	const created = await app.call(campaigns.create, { body: order }, rich)
	assert.equal(created.status, 200, created.body.message)
	const params = { id: created.body.campaign._id }
	const { body: read } = await app.call(campaigns.get, { params, query: { page: 1, limit: 1 } }, rich)
	assert.deepEqual(read.campaign.variables, { var1: 'a b \ufffd' })
})

test('a path that cannot be decoded or is too long returns 400 with the product’s message', async () => {
	for (const id of ['%', '%ed%a0%80', 'x'.repeat(1001)]) {
		const reply = await send(`/api/contacts/${id}`, { method: 'DELETE' })
		assert.deepEqual(reply, { status: 400, message: 'This address could not be read' })
	}
})

test('a body with `__proto__` or `constructor` returns 400 and changes no prototype', async () => {
	for (const body of ['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{"role":"admin"}}}']) {
		const reply = await send(contacts.create.path, { method: 'POST', type: 'application/json', body })
		assert.deepEqual(reply, { status: 400, message: 'This request could not be read' })
	}
	assert.equal('role' in {}, false)
})

test('a body that is not a JSON object returns 400, an unexpected form 415, both with the expected type', async () => {
	const message = 'The body must be a JSON object, sent as application/json'
	for (const [type, body] of [
		['application/json', '[]'],
		['application/json', '"text"'],
		['text/plain', '{"firstName":"Asha","number":"9876543210"}'],
	] as const) {
		assert.deepEqual(await send(contacts.create.path, { method: 'POST', type, body }), { status: 400, message })
	}
	const fields = { method: 'POST', type: 'application/x-www-form-urlencoded', body: 'firstName=Asha&number=9876543210' }
	assert.deepEqual(await send(contacts.create.path, fields), { status: 415, message })
	const form = { method: 'POST', body: campaignForm({ firstName: 'Asha', number: '9876543210' }) }
	assert.deepEqual(await send(contacts.create.path, form), { status: 415, message })
})

test('a number that is far too long is refused with the message for any invalid number', async () => {
	const body = { firstName: 'Asha', number: '9'.repeat(41) }
	const reply = await app.call(contacts.create, { body }, person)
	assert.deepEqual([reply.status, reply.body.message], [400, 'Invalid phone number format'])
})

test('a search longer than any name returns no contacts', async () => {
	const totals: number[] = []
	for (const search of ['x'.repeat(201), `asha rao${'x'.repeat(200)}`, `${' '.repeat(300)}asha`]) {
		totals.push((await app.call(contacts.list, { query: { search, page: 1, limit: 10 } }, person)).body.total)
	}
	assert.deepEqual(totals, [0, 0, 1])
})

test('GET /api/contacts with an empty `group=` returns the contacts of all groups', async () => {
	const { body } = await app.call(contacts.list, { query: { search: '', group: '', page: 1, limit: 10 } }, person)
	assert.equal(body.total, 1)
})

test('a multipart form without a boundary, or cut off, returns 400', async () => {
	for (const [type, body] of [
		['multipart/form-data', 'anything'],
		['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\ncut'],
	]) {
		const reply = await send(campaigns.create.path, { method: 'POST', type: type ?? '', body: body ?? '' })
		assert.deepEqual(reply, { status: 400, message: 'This form could not be read' })
	}
})

test('createCampaign returns 400 for the group "abc", and for a missing group a message that asks for one', async () => {
	const { templateId } = await template(app.context.db, person.accountId)
	const order = (selectedGroup: string) =>
		send(campaigns.create.path, {
			method: 'POST',
			body: campaignForm({ templateId, audienceType: 'group', selectedGroup }),
		})
	assert.equal((await order('abc')).status, 400)
	assert.deepEqual(await order(''), { status: 400, message: 'Please select a group' })
})

function receive(name: string) {
	const file = new File(['number\n919876543210'], name, { type: 'application/vnd.ms-excel' })
	return send(campaignPreflight.audienceFile.path, { method: 'POST', body: campaignForm({}, file) })
}

test('a .csv file is received as CSV when the browser calls it application/vnd.ms-excel', async () => {
	assert.equal((await receive('people.csv')).status, 200)
	assert.deepEqual(await receive('people.xls'), { status: 400, message: 'Please upload a CSV or Excel file' })
})

test('POST /api/auth/login and /forgot refuse 80 kB that resemble an address in less than 100 ms of processor time', async () => {
	const body = JSON.stringify({ email: `a@${'.'.repeat(80_000)}@`, password: 'secret123' })
	for (const { path } of [auth.login, auth.forgot]) {
		const start = process.threadCpuUsage()
		const reply = await send(path, { method: 'POST', type: 'application/json', body })
		const { user } = process.threadCpuUsage(start)
		assert.deepEqual(reply, { status: 400, message: 'Invalid email format' })
		assert.ok(user < 100_000, `${user} µs`)
	}
})

test('a body larger than its call allows returns 413, and a body of the same size for many contacts does not', async () => {
	const body = JSON.stringify({ firstName: 'Asha', number: '9876543210', more: 'x'.repeat(100_000) })
	const tooLarge = { status: 413, message: 'This request is too large' }
	const init = { method: 'POST', type: 'application/json', body }
	assert.deepEqual(await send(contacts.create.path, init), tooLarge)
	assert.notEqual((await send(contacts.addMany.path, init)).status, 413)
	assert.deepEqual(await send(contacts.addMany.path, { ...init, body: ' '.repeat(17_000_000) }), tooLarge)
})

test('a client that is still sending an oversized body gets the 413, not a broken connection', async () => {
	const init = { method: 'POST', type: 'application/json', body: ' '.repeat(5_000_000) }
	const replies = await Promise.all(Array.from({ length: 10 }, () => send(contacts.create.path, init)))
	assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([413]))
})

test('a form whose texts together exceed the limit of its call returns 413', async () => {
	const { bytes } = bodyBounds(campaigns.create.body, campaigns.create)
	const half = 'x'.repeat(Math.ceil(bytes / 2))
	const form = campaignForm({ a: half, b: half })
	const reply = await send(campaigns.create.path, { method: 'POST', body: form })
	assert.deepEqual(reply, { status: 413, message: 'This request is too large' })
})

function unknownTags(key: number): string {
	return Array.from({ length: 100 }, (_, index) => `{{t${key}x${index}}}`).join('')
}

test('an estimate with 10,000 unknown merge tags returns 200 after less than a second of processor time', async () => {
	const rich = await account(app.context)
	const { templateId } = await template(app.context.db, rich.accountId)
	const variables = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`var${key + 1}`, unknownTags(key)]))
	const before = process.cpuUsage()
	const reply = await app.call(
		campaignPreflight.estimate,
		{ body: { audienceType: 'all', templateId, variables, schedule: 'now' } },
		rich,
	)
	assert.equal(reply.status, 200)
	const { user, system } = process.cpuUsage(before)
	assert.ok(user + system < 1_000_000)
	const more = Object.fromEntries(Array.from({ length: 251 }, (_, key) => [`var${key + 1}`, 'x']))
	const refused = await app.call(
		campaignPreflight.estimate,
		{ body: { audienceType: 'all', templateId, variables: more, schedule: 'now' } },
		rich,
	)
	assert.deepEqual([refused.status, refused.body.message], [400, 'At most 250 variables are allowed'])
})
