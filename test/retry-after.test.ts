import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { contract } from '#app/contract.ts'
import { auth } from '#features/auth/contract.ts'
import { Scope } from '#features/developer/contract.ts'
import { users } from '#features/users/contract.ts'
import { problemsOf } from '#lib/app-error.ts'
import { fillPath, type Endpoint } from '#lib/endpoint.ts'
import type { AccountId } from '#lib/server/db.ts'
import { FairSemaphore } from '#lib/server/fair-semaphore.ts'
import { createHttpServer } from '#lib/server/http/http-server.ts'
import { mount, type Http, type Semaphores } from '#lib/server/http/http.ts'
import { createLog } from '#lib/server/log.ts'
import { account, type TestAccount } from './factories.ts'
import { startTestApp, type TestApp } from './http-app.ts'
import { setUpFactor } from './scenes/second-factor.ts'
import { createTestSemaphores } from './semaphores.ts'

const endpoints = Object.entries(contract).flatMap(([feature, calls]) =>
	Object.entries(calls).map(([name, endpoint]) => ({ name: `${feature}.${name}`, endpoint: endpoint as Endpoint })),
)

/** Returns a session of the role that the token names; other tokens belong to users. */
const findSession = async (token: string) => ({
	userId: 1,
	role: token === 'admin' ? ('admin' as const) : ('user' as const),
	seat: 'owner' as const,
	accountId: 1 as unknown as AccountId,
	tokenHash: Buffer.alloc(32),
})

const problem = problemsOf({ had_its_turn: { status: 418, text: 'It has had its turn' } })

const KEY_HOLDER = {
	keyId: 1,
	accountId: 1 as unknown as AccountId,
	scopes: Scope.options,
	dayLimitPaise: null,
	isTest: false,
}

/** Serves every call of the contract. Each call that the limits admit answers 418. */
async function serve(semaphores: Semaphores): Promise<Http> {
	const http = await createHttpServer({ log: createLog('silent'), findSession, semaphores, trustProxy: [] })
	http.addHook('onRequest', async (request) => {
		if (request.routeOptions.config.access === 'key') request.keyHolder = KEY_HOLDER
	})
	for (const { endpoint } of endpoints) {
		// These calls accept any input, because a call checks its input only after the limits have admitted it.
		const { params: _params, query: _query, body: _body, ...bare } = endpoint
		mount(http, bare, () => Promise.reject(problem('had_its_turn')))
	}
	return http
}

/** A form without fields: a program's call refuses fields that its contract does not name. */
const FORM = '--x--\r\n'

function attempt(http: Http, { method, path, access, files }: Endpoint) {
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1'])
	return http.inject({
		method,
		url: fillPath(path, Object.fromEntries(names) as Record<string, string>),
		headers: {
			authorization: `Bearer ${access}`,
			...(files && { 'content-type': 'multipart/form-data; boundary=x' }),
		},
		...(files && { payload: FORM }),
	})
}

type Attempted = Awaited<ReturnType<typeof attempt>>

function assertSaysWhen(name: string, { statusCode, headers, body }: Attempted): void {
	assert.equal(statusCode, 429, `${name}: ${body}`)
	const seconds = Number(headers['retry-after'])
	assert.ok(Number.isInteger(seconds) && seconds > 0, `${name}: Retry-After is ${headers['retry-after']}`)
}

const free = createTestSemaphores(1)

suite('Retry-After of a 429', () => {
	for (const kind of Object.keys(free) as (keyof Semaphores)[]) {
		test(`each call that takes a turn of ${kind} returns Retry-After while the account has no turn left`, async () => {
			const http = await serve({ ...free, [kind]: new FairSemaphore({ each: 0 }) })
			let refused = 0
			for (const { name, endpoint } of endpoints) {
				const answer = await attempt(http, endpoint)
				if (answer.statusCode === 418) continue
				assertSaysWhen(name, answer)
				refused++
			}
			assert.ok(refused > 0, 'no call has this limit')
			await http.close()
		})
	}

	test('every call that is not public and takes a turn returns Retry-After while the account has no turn left', async () => {
		const http = await serve(createTestSemaphores(0))
		for (const { name, endpoint } of endpoints)
			if (endpoint.access !== 'public' && endpoint.effort !== 'gathered')
				assertSaysWhen(name, await attempt(http, endpoint))
		await http.close()
	})

	test('every call with a limit per minute returns Retry-After only beyond the limit', async () => {
		const http = await serve(free)
		const limited = endpoints.filter(({ endpoint }) => endpoint.perMinute)
		assert.ok(limited.length > 5)
		for (const { name, endpoint } of limited) {
			for (let call = 0; call < (endpoint.perMinute ?? 0); call++)
				assert.equal((await attempt(http, endpoint)).statusCode, 418, name)
			assertSaysWhen(name, await attempt(http, endpoint))
		}
		await http.close()
	})
})

suite('every limit on guesses returns the time to wait in Retry-After', () => {
	let app: TestApp
	before(async () => {
		app = await startTestApp()
	})
	after(() => app.close())

	let asked = 0
	/** Each request comes from another address, unless one is named. */
	const send = (
		{ method, path }: Endpoint,
		body: object,
		{ token, ip = `203.0.113.${(++asked % 250) + 1}` }: { token?: string; ip?: string } = {},
	) =>
		fetch(app.url + path, {
			method,
			headers: {
				'content-type': 'application/json',
				'x-forwarded-for': ip,
				...(token && { authorization: `Bearer ${token}` }),
			},
			body: JSON.stringify(body),
		})

	const guess = 'a wrong guess'
	const doors: Record<string, (person: TestAccount) => Promise<() => Promise<Response>>> = {
		'passwords of one account, from one address': async ({ email }) => {
			return () => send(auth.login, { email, password: guess }, { ip: '198.51.100.1' })
		},
		'passwords of one account, from many addresses': async ({ email }) => {
			return () => send(auth.login, { email, password: guess })
		},
		'passwords of many accounts, from one address': async () => {
			return () => send(auth.login, { email: `n${++asked}@example.com`, password: guess }, { ip: '198.51.100.2' })
		},
		'codes at sign-in': async (person) => {
			await setUpFactor(app, person)
			const { email, password } = person
			const { challenge } = (await (await send(auth.login, { email, password })).json()) as { challenge: string }
			return () => send(auth.secondStep, { challenge, code: '000000' })
		},
		'codes at setting up': async ({ token, password }) => {
			await send(auth.startSecondFactor, { currentPassword: password }, { token })
			return () => send(auth.confirmSecondFactor, { code: '000000' }, { token })
		},
		'the password, before a second factor': async ({ token }) => {
			return () => send(auth.startSecondFactor, { currentPassword: guess }, { token })
		},
		'the password, to change it': async ({ token, name, email }) => {
			return () => send(users.updateMe, { name, email, currentPassword: guess, newPassword: 'a new one' }, { token })
		},
		'links for a new password': async ({ email }) => {
			return () => send(auth.forgot, { email }, { ip: '198.51.100.3' })
		},
	}
	for (const [what, door] of Object.entries(doors)) {
		test(what, async () => {
			const ask = await door(await account(app.context))
			for (let attempts = 0; attempts < 60; attempts++) {
				const response = await ask()
				if (response.status !== 429) continue
				assert.ok(Number(response.headers.get('retry-after')) > 0, await response.text())
				return
			}
			assert.fail('it was never refused')
		})
	}
})
