import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Page, Search } from '#lib/fields.ts'
import { ApiError, call, messageOf, referenceOf } from './api.ts'
import { callEarly, endEarlyCalls } from './early-calls.ts'
import { onExpired } from './session.ts'

const list = endpoint('GET /api/things/{id}', {
	access: 'agent',
	params: z.object({ id: Id }),
	query: z.object({ page: Page, search: Search }),
	response: z.object({ ok: z.boolean() }),
})
const upload = endpoint('POST /api/things', {
	access: 'agent',
	body: z.object({ name: z.string(), tags: z.optional(z.array(z.string())) }),
	files: { file: { maxBytes: 10, types: ['text/csv'] } },
	response: z.object({ ok: z.boolean() }),
})
const receipt = endpoint('GET /api/receipt', { access: 'agent', response: { file: 'application/pdf' } })
const login = endpoint('POST /api/login', {
	access: 'public',
	body: z.object({ email: z.string() }),
	response: z.object({ ok: z.boolean() }),
})

let stored: Map<string, string>
let asked: { url: string; init: RequestInit } | undefined
let expiries: number

const replaced = (['fetch', 'localStorage', 'sessionStorage'] as const).map(
	(name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
)
// Other test files of this process need Node's own `fetch`.
after(() => {
	for (const [name, original] of replaced) {
		if (original) Object.defineProperty(globalThis, name, original)
		else Reflect.deleteProperty(globalThis, name)
	}
})

// Returns a stand-in for the browser's storages, which Node lacks. The network is replaced too.
function storageOf(map: Map<string, string>) {
	return {
		getItem: (key: string) => map.get(key) ?? null,
		setItem: (key: string, value: string) => void map.set(key, value),
		removeItem: (key: string) => void map.delete(key),
		key: (index: number) => [...map.keys()][index] ?? null,
		get length() {
			return map.size
		},
	}
}

function answer(response: () => Response | Promise<Response>) {
	Object.assign(globalThis, {
		fetch: async (url: string, init: RequestInit) => {
			asked = { url, init }
			return response()
		},
	})
}

beforeEach(() => {
	stored = new Map([['token', 'abc']])
	asked = undefined
	expiries = 0
	for (const [name, map] of [
		['localStorage', stored],
		['sessionStorage', new Map<string, string>()],
	] as const)
		Object.defineProperty(globalThis, name, { value: storageOf(map), configurable: true })
	onExpired(() => void expiries++)
	answer(() => Response.json({ ok: true }))
})

test('call puts the parameters into the URL, and omits empty ones', async () => {
	assert.deepEqual(await call(list, { params: { id: '7' }, query: { page: 2, search: '' } }), { ok: true })
	assert.equal(asked?.url, '/api/things/7?page=2')
	assert.equal(new Headers(asked?.init.headers).get('authorization'), 'Bearer abc')
})

test('call sends a body with files as a form, with objects as JSON and the files last', async () => {
	await call(upload, { body: { name: 'x', tags: ['a', 'b'] }, files: { file: new Blob(['1,2']) } })
	assert.ok(asked?.init.body instanceof FormData)
	assert.deepEqual([...asked.init.body.keys()], ['name', 'tags', 'file'])
	assert.equal(asked.init.body.get('tags'), '["a","b"]')
})

test('call returns a file under the name that the server sent', async () => {
	const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="receipt_7.pdf"' }
	answer(() => new Response('%PDF', { headers }))
	assert.equal((await call(receipt)).name, 'receipt_7.pdf')
})

test('call rejects with the server’s message and its messages for single fields when refused', async () => {
	answer(() => Response.json({ message: 'No', fields: { name: 'Name is required' } }, { status: 400 }))
	const error = await call(upload, { body: { name: '' } }).catch((reason: unknown) => reason)
	assert.ok(error instanceof ApiError)
	assert.deepEqual([error.status, error.fields], [400, { name: 'Name is required' }])
	assert.equal(messageOf(error, 'Failed to save'), 'No')
})

test('messageOf returns the fallback when a refusal has no message', () => {
	assert.equal(messageOf(new ApiError(500, ''), 'Failed to fetch users'), 'Failed to fetch users')
	assert.equal(messageOf(new ApiError(409, ''), 'Failed to save'), 'Failed to save')
})

test('messageOf returns the server’s message for a server error with one', () => {
	assert.equal(messageOf(new ApiError(500, 'The disk is full'), 'Failed to fetch users'), 'The disk is full')
})

test('messageOf returns the fallback for a lost connection', async () => {
	answer(() => {
		throw new TypeError('Failed to fetch')
	})
	const error = await call(receipt).catch((reason: unknown) => reason)
	assert.ok(error instanceof ApiError && error.status === 0)
	assert.equal(messageOf(error, 'Failed to fetch users'), 'Failed to fetch users')
})

const fail = () => call(receipt).catch((reason: unknown) => reason)
const sent = () => new Headers(asked?.init.headers).get('x-request-id') ?? ''

test('call sends a new request id each time, which referenceOf returns after a server error or a missing answer', async () => {
	answer(() => new Response('', { status: 500 }))
	assert.equal(referenceOf(await fail()), sent())
	const first = sent()
	assert.match(first, /^[\w.-]{8,64}$/)
	answer(() => new Response('', { status: 500, headers: { 'x-request-id': 'of-the-server' } }))
	assert.equal(referenceOf(await fail()), 'of-the-server')
	assert.notEqual(sent(), first)
	answer(() => Promise.reject(new TypeError('Failed to fetch')))
	assert.match(referenceOf(await fail()) ?? '', /^[\w.-]{8,64}$/)
	answer(() => Response.json({ message: 'No' }, { status: 400 }))
	assert.equal(referenceOf(await fail()), undefined)
})

test('call ends the session after a 401, except after a 401 of signing in', async () => {
	answer(() => Response.json({ message: 'Invalid email or password' }, { status: 401 }))
	await assert.rejects(call(login, { body: { email: 'a' } }), { message: 'Invalid email or password' })
	assert.deepEqual([expiries, stored.size], [0, 1])
	await assert.rejects(call(receipt), { status: 401 })
	assert.deepEqual([expiries, stored.size], [1, 0])
})

test('call rejects and sends no request without a token', async () => {
	stored.clear()
	await assert.rejects(call(receipt), { message: 'No authentication token found' })
	assert.equal(asked, undefined)
})

const THING = '/api/things/7?page=2'
const askForThing = () => call(list, { params: { id: '7' }, query: { page: 2 } })
const numbered = () => {
	let answers = 0
	answer(() => Response.json({ ok: ++answers }))
}

test('call takes the answer of the same early call, and the next call sends a request', async () => {
	numbered()
	callEarly(THING)
	assert.deepEqual(asked?.init.headers, { authorization: 'Bearer abc' })
	assert.deepEqual(await askForThing(), { ok: 1 })
	assert.deepEqual(await askForThing(), { ok: 2 })
})

test('call takes no early answer of another session, and none after endEarlyCalls', async () => {
	numbered()
	callEarly(THING)
	stored.set('token', 'of somebody else')
	assert.deepEqual(await askForThing(), { ok: 2 })
	callEarly(THING)
	assert.ok(endEarlyCalls() <= performance.now())
	assert.deepEqual(await askForThing(), { ok: 4 })
	assert.equal(endEarlyCalls(), Infinity)
})

test('call ends the session when its early answer is a 401', async () => {
	answer(() => Response.json({ message: 'Invalid token' }, { status: 401 }))
	callEarly(THING)
	await assert.rejects(askForThing(), { status: 401 })
	assert.equal(expiries, 1)
})

test('callEarly sends nothing without a token', () => {
	stored.delete('token')
	answer(() => Response.json({ ok: true }))
	callEarly(THING)
	assert.equal(asked, undefined)
})
