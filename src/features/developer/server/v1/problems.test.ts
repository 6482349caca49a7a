import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v1 } from '#features/developer/v1-contract.ts'
import { apiKey, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'

let app: TestApp
let person: TestAccount
let key: { token: string }
before(async () => {
	app = await startTestApp()
	person = await app.signIn('user')
	key = await keyOf(person)
})
after(() => app.close())

const keyOf = (shop: TestAccount) => apiKey(app.context.db, shop)

interface Problem {
	type: string
	status: number
	code: string
	detail: string
	errors?: { path: string; detail: string }[]
}

/** Calls a path and returns the problem of its answer. */
async function problem(path: string, init: { method?: string; body?: string; type?: string } = {}): Promise<Problem> {
	const { method = 'GET', body, type = 'application/json' } = init
	const response = await fetch(app.url + path, {
		method,
		headers: { authorization: `Bearer ${key.token}`, ...(body !== undefined && { 'content-type': type }) },
		...(body !== undefined && { body }),
	})
	assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, path)
	const found = (await response.json()) as Problem
	assert.equal(found.status, response.status)
	return found
}

test('each error of /v1 is a problem with a stable code', async () => {
	const post = (body: string, type?: string) => problem('/v1/groups', { method: 'POST', body, ...(type && { type }) })
	assert.equal((await problem('/v1/nothing')).code, 'not_found')
	assert.equal((await problem('/v1/nothing', { method: 'PATCH' })).code, 'not_found')
	assert.equal((await problem('/v1')).code, 'not_found')
	for (const id of ['%zz', '9'.repeat(2000)]) assert.equal((await problem(`/v1/messages/${id}`)).code, 'unreadable')
	assert.equal((await problem('/v1/templates/999')).code, 'not_found')
	assert.equal((await post('{')).code, 'unreadable')
	for (const type of ['application/xml', 'text/plain'])
		assert.equal((await post('{"name":"Buyers"}', type)).code, 'unsupported_media_type')
	assert.equal((await post(`{"name":"${'a'.repeat(200_000)}"}`)).code, 'too_large')
	assert.equal((await problem('/v1/templates?limit=0')).code, 'invalid')
	assert.equal((await problem('/v1/templates?cursor=x')).code, 'invalid')
	const { status, code, errors } = await post('{"type":"local"}')
	assert.deepEqual([status, code, errors?.map(({ path }) => path)], [422, 'invalid', ['/name', '/type']])
	const to = '919876500001'
	const odd = await problem('/v1/messages', {
		method: 'POST',
		body: JSON.stringify({ to, template: { name: 'hello' }, values: { 'a.b/c~d': 1 } }),
	})
	assert.deepEqual(
		odd.errors?.map(({ path }) => path),
		['/values/a.b~1c~0d'],
	)
})

const ask = async (method: string, path: string) => {
	const answer = await fetch(app.url + path, { method })
	const { code, detail } = (await answer.json()) as Problem
	return [answer.status, answer.headers.get('content-type')?.split(';')[0], answer.headers.get('allow'), code, detail]
}

const refused = (allow: string, detail: string) => [
	405,
	'application/problem+json',
	allow,
	'method_not_allowed',
	detail,
]

test('an unsupported method of an address returns 405 with Allow', async () => {
	assert.deepEqual(
		await ask('PUT', '/v1/messages?a=1'),
		refused('POST, GET, HEAD', 'This address takes POST, GET, HEAD, not PUT'),
	)
	assert.deepEqual(await ask('POST', '/v1/contacts/5'), refused('DELETE', 'This address takes DELETE, not POST'))
	assert.deepEqual(
		await ask('OPTIONS', '/v1/balance'),
		refused('GET, HEAD', 'This address takes GET, HEAD, not OPTIONS'),
	)
})

const faults = async (path: string, body?: object, method = body ? 'POST' : 'GET') => {
	const { status, errors = [] } = await problem(path, { method, ...(body && { body: JSON.stringify(body) }) })
	return [status, ...errors.map((fault) => `${(fault as { in?: string }).in ?? 'body'} ${fault.path}`)]
}

test('unknown fields and query parameters return 422 with their places, on every level and for calls without parameters', async () => {
	const to = '919876500001'
	assert.deepEqual(await faults('/v1/messages?status=failed&limit=0'), [422, 'query /limit', 'query /status'])
	assert.deepEqual(await faults('/v1/balance?x=1'), [422, 'query /x'])
	assert.deepEqual(await faults('/v1/openapi.json?x=1'), [422, 'query /x'])
	assert.deepEqual(await faults('/v1/groups?dryRun=1', { name: 'A', colour: 'red' }), [
		422,
		'query /dryRun',
		'body /colour',
	])
	assert.deepEqual(await faults('/v1/campaigns/0/start?x=1', { sendAt: 'x' }), [
		422,
		'path /id',
		'query /x',
		'body /sendAt',
	])
	assert.deepEqual(await faults('/v1/contacts/1', { force: true }, 'DELETE'), [422, 'body /force'])
	const messages = [
		{ to: '12' },
		{ to, values: { var1: 499 } },
		{ to: Number(to), values: {} },
		{ to, sendAt: '2026-12-01T00:00:00Z' },
	]
	assert.deepEqual(await faults('/v1/messages/batch', { template: { name: 'hello', locale: 'en' }, messages }), [
		422,
		'body /template/locale',
		'body /messages/1/values/var1',
		'body /messages/3/sendAt',
		'body /messages/0/to',
	])
	const consent = { source: 'Shop', words: 'Yes', agreedOn: '2026-01-01', by: 'x' }
	const contacts = [{ firstName: 'A', number: to, company: 'x' }]
	assert.deepEqual(await faults('/v1/contacts', { contacts, consent }), [
		422,
		'body /contacts/0/company',
		'body /consent/by',
	])
})

test('a request with more than a thousand faults returns the first thousand and their number', async () => {
	const numbers = Array.from({ length: 1200 }, () => 'x')
	const body = JSON.stringify({ numbers, optedOut: true })
	const found = (await problem('/v1/opt-outs', { method: 'POST', body })) as Problem & { errorCount: number }
	assert.deepEqual(
		[found.errors?.length, found.errorCount, found.detail],
		[1000, 1200, 'Invalid phone number format (and 1,199 more)'],
	)
	const fields = Object.fromEntries(numbers.map((_, at) => [`${'a'.repeat(200)}${at}`, 1]))
	const odd = await problem('/v1/contacts', { method: 'POST', body: JSON.stringify(fields) })
	assert.ok(odd.errors?.length === 1000 && odd.errors.every(({ path }) => path.length < 110))
})

test('a phone number is accepted as a JSON number, and an invalid one is named', async () => {
	const as = await keyOf(await app.signIn('user'))
	const post = (path: string, body: object) =>
		fetch(app.url + path, {
			method: 'POST',
			headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		})
	const contacts = [
		{ firstName: 'Asha', number: 919_811_111_201 },
		{ firstName: 'Ravi', number: 9_811_111_202 },
	]
	assert.equal((await post('/v1/contacts', { contacts })).status, 200)
	const { data } = (await app.call(v1.contacts, {}, as)).body
	assert.deepEqual(
		data.map(({ number }) => number),
		['919811111201', '919811111202'],
	)
	assert.deepEqual(await (await post('/v1/opt-outs', { numbers: [919_811_111_201], optedOut: true })).json(), {
		changed: 1,
	})
	for (const number of [9.5, -919_811_111_201, 1e21, 0, true, null, [919_811_111_201]]) {
		const { errors } = (await (
			await post('/v1/contacts', { contacts: [{ firstName: 'A', number }] })
		).json()) as Problem
		assert.deepEqual(errors, [{ path: '/contacts/0/number', detail: 'Invalid phone number format' }], String(number))
	}
})

const post = (path: string, body: object) => problem(path, { method: 'POST', body: JSON.stringify(body) })

test('the largest documented batch and page are accepted, and a 413 names the limit', async () => {
	const values = { var1: 'क'.repeat(1024) }
	const list = (count: number) =>
		Array.from({ length: count }, (_, at) => ({ to: `9198${String(at).padStart(8, '0')}`, values }))
	// The template is looked up after the whole body has been read.
	const template = { name: 'no_such_template' }
	assert.equal((await post('/v1/messages/batch', { template, messages: list(1000) })).code, 'template_not_found')
	assert.equal((await post('/v1/campaigns/1/recipients', { recipients: list(5000) })).code, 'not_found')
	const { code, detail } = await post('/v1/messages/batch', { a: 'x'.repeat(20_000_000) })
	assert.deepEqual([code, detail], ['too_large', 'The body is too large: this call takes at most 20,000,000 bytes'])
})

test('a call without a valid key returns 401 with an explanation', async () => {
	const answer = await fetch(`${app.url}/v1/balance`)
	assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'])
})

test('an invalid filter of the statement returns 422', async () => {
	for (const query of ['kind=gift', 'from=2026-13-01', 'from=2026-11-01T00:00:00Z', 'to=tomorrow'])
		assert.equal((await problem(`/v1/statement?${query}`)).code, 'invalid', query)
})
