import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { contract } from '#app/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { contact, template, type TestAccount } from './factories.ts'
import { hostileRequests, type HostileRequest } from './hostile-requests.ts'
import { startTestApp, type TestApp } from './http-app.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3000)
const SEED = Number(process.env.FUZZ_SEED ?? 9)
/** At once, as browsers do. */
const CLIENTS = 4

const endpoints = Object.values(contract).flatMap((calls) => Object.values(calls) as Endpoint[])

let app: TestApp
const people: Partial<Record<'admin' | 'user', TestAccount>> = {}

before(async () => {
	app = await startTestApp({ simulator: true })
	for (const role of ['admin', 'user'] as const) people[role] = await signIn(role)
})
after(() => app.close())

/** Somebody with something to change: a request may well delete them, or end their session. */
async function signIn(role: 'admin' | 'user'): Promise<TestAccount> {
	const person = await app.signIn(role)
	const { db } = app.context
	await contact(db, person.ownerId)
	await template(db, person.ownerId)
	return person
}

async function send(request: HostileRequest): Promise<Response> {
	const token = request.as === null ? null : (people[request.as] ??= await signIn(request.as)).token
	const response = await fetch(app.url + request.path, {
		method: request.method,
		headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...request.headers },
		...(request.body !== undefined && { body: request.body }),
	})
	if (response.status === 401 && request.as !== null) delete people[request.as]
	return response
}

async function faultOf(request: HostileRequest): Promise<string | null> {
	const response = await send(request)
	const text = await response.text()
	if (response.status >= 500) return `${response.status} ${text}`
	if (response.status < 400) return null
	try {
		const { message } = JSON.parse(text) as { message?: unknown }
		return typeof message === 'string' && message !== '' ? null : `${response.status} without a message: ${text}`
	} catch {
		return `${response.status} that is no JSON: ${text}`
	}
}

test(`every endpoint answers ${REQUESTS} hostile requests with a result or a message, never with 5xx`, async () => {
	const requests = hostileRequests(endpoints, SEED)
	const faults: string[] = []
	let sent = 0
	await Promise.all(
		Array.from({ length: CLIENTS }, async () => {
			while (sent++ < REQUESTS) {
				const request = requests.next().value
				const fault = await faultOf(request)
				if (fault !== null) faults.push(`${describe(request)} → ${fault}`)
			}
		}),
	)
	assert.deepEqual(faults, [])
})

function describe({ method, path, as, headers, body }: HostileRequest): string {
	const sent = typeof body === 'string' ? JSON.stringify(body).slice(0, 300) : body === undefined ? '' : 'a form'
	return `${as ?? 'stranger'} ${method} ${path.slice(0, 300)} ${headers['content-type'] ?? ''} ${sent}`
}
