import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { users } from '#features/users/contract.ts'
import { account, contact } from './factories.ts'
import { launchTestApp } from './http-app.ts'

const app = await launchTestApp()
const person = await account(app.context)
await contact(app.context.db, person.accountId)

const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
	fetch(app.url + path, { ...init, headers: { authorization: `Bearer ${person.token}`, ...headers } })

/** Requests for answers of every kind: of the contract, of other routes, and of addresses without a route. */
const ADDRESSES: [path: string, init?: RequestInit, headers?: Record<string, string>][] = [
	[users.me.path],
	[users.me.path, {}, { authorization: '' }],
	[contacts.exportCsv.path],
	['/api/auth/login', { method: 'POST' }],
	['/api/webhooks/whatsapp/1.unknown', { method: 'POST', body: '{}' }],
	['/healthz'],
	['/nothing/here'],
	['/%'],
]

test('every answer forbids plain HTTP for a year, guessed types and caching, and carries a request id', async () => {
	for (const [path, ...request] of ADDRESSES) {
		const { headers } = await ask(path, ...request)
		const read = (name: string) => headers.get(name)
		assert.equal(read('strict-transport-security'), 'max-age=31536000; includeSubDomains', path)
		assert.equal(read('x-content-type-options'), 'nosniff', path)
		assert.equal(read('cache-control'), 'no-store', path)
		assert.match(read('x-request-id') ?? '', /^[0-9a-f-]{36}$/, path)
		assert.match(read('content-type') ?? '', /; charset=utf-8$/, path)
	}
})

test('the content security policy allows scripts, frames, bases, plugins and pictures from no other origin', async () => {
	const policy = (await ask(users.me.path)).headers.get('content-security-policy') ?? ''
	const rules = new Map(policy.split(';').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
	for (const name of ['object-src', 'base-uri', 'frame-ancestors']) assert.equal(rules.get(name), "'none'", name)
	for (const name of ['default-src', 'connect-src', 'form-action']) assert.equal(rules.get(name), "'self'", name)
	assert.match(rules.get('script-src') ?? '', /^'self' 'nonce-[0-9a-f]{32}'$/)
	assert.equal(rules.get('img-src'), "'self' data: blob:")
})

test('no other site may read an answer, and TRACE is not answered', async () => {
	const preflight = await ask(
		users.me.path,
		{ method: 'OPTIONS' },
		{ origin: 'https://other.example', 'access-control-request-method': 'PUT' },
	)
	assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [404, null])
	const answer = await ask(users.me.path, {}, { origin: 'https://other.example' })
	assert.equal(answer.headers.get('access-control-allow-origin'), null)
	assert.equal(answer.headers.get('set-cookie'), null)
	const trace = await new Promise<number | undefined>((resolve) => {
		get(app.url, { method: 'TRACE' }, (response) => resolve(response.resume().statusCode))
	})
	assert.equal(trace, 404)
})
